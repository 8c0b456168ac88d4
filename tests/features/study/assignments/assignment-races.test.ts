import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let one: TestApp;
let two: TestApp;
let admin: TestUser;

beforeAll(async () => {
  one = await startTestApp();
  two = await startTestApp({ databaseUrl: one.databaseUrl });
  admin = await one.createUser({ role: 'admin' });
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

/** A deterministic random generator, so that failures can be reproduced. */
function createRandom(seed: number) {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  return { next, some: <T>(items: readonly T[]) => items.filter(() => next(2) === 0) };
}

async function makeProjects(count: number, users: readonly TestUser[]): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const body = { name: `Project ${index}`, assigned_user_ids: [users[0]?.id] };
    ids.push((await one.as(admin).post('/api/projects', body).expect(201)).body.data.id);
  }
  return ids;
}

const brokenRows = `
  SELECT p.id FROM projects p
  WHERE p.assigned_user_id IS DISTINCT FROM (
    SELECT a.user_id FROM project_assignments a WHERE a.project_id = p.id ORDER BY a.position, a.user_id LIMIT 1)
  OR (p.deleted_at IS NOT NULL AND EXISTS (SELECT FROM project_assignments a WHERE a.project_id = p.id))`;

describe('assignments under contention', () => {
  test('eight clients with all operations on assignments cause no 5xx and no inconsistent row', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => one.createUser()));
    const ids = users.map((user) => user.id);
    const projects = await makeProjects(8, users);
    // assigned to all projects, deleted while the test runs
    const spare = (await Promise.all(Array.from({ length: 12 }, () => one.createUser()))).map((user) => user.id);
    const all = { project_ids: projects, user_ids: spare, assign_type: 'add' };
    await one.as(admin).post('/api/projects/batch-assign', all).expect(200);
    const statuses: number[] = [];

    async function sendRandomRequest(app: TestApp, random: ReturnType<typeof createRandom>): Promise<number> {
      const some = random.some(projects);
      const project_ids = some.length > 0 ? some.sort(() => random.next(3) - 1) : [projects[0]];
      const [first = 0] = project_ids;
      const who = random.some(ids).sort(() => random.next(3) - 1);
      const client = app.as(admin);
      switch (random.next(10)) {
        case 0:
          return (
            await client.post('/api/projects/batch-assign', { project_ids, user_ids: who, assign_type: 'replace' })
          ).status;
        case 1:
          return (await client.post('/api/projects/batch-assign', { project_ids, assigned_user_ids: who })).status;
        case 2:
          return (await client.post('/api/projects/batch-assign', { project_ids, user_ids: ids, assign_type: 'add' }))
            .status;
        case 3:
          return (
            await client.post('/api/projects/batch-assign', { project_ids, user_ids: [ids[0]], assign_type: 'remove' })
          ).status;
        case 4:
          return (
            await client.put(`/api/projects/${first}`, { name: `Name ${random.next(9)}`, assigned_user_ids: who })
          ).status;
        case 5:
          return (await client.delete(`/api/projects/${first}`)).status;
        case 6:
          return (await client.post(`/api/projects/${first}/restore`)).status;
        case 7: {
          const status = random.next(2) === 0 ? 'inactive' : 'active';
          return (await client.put(`/api/admin/users/${ids[random.next(ids.length)]}`, { status })).status;
        }
        case 8: {
          const id = spare.pop();
          return id === undefined ? 200 : (await client.delete(`/api/admin/users/${id}`)).status;
        }
        default:
          return (await app.as(users[random.next(users.length)]).get('/api/projects')).status;
      }
    }

    const clients = Array.from({ length: 8 }, async (_, index) => {
      const random = createRandom(index + 1);
      for (let round = 0; round < 60; round += 1)
        statuses.push(await sendRandomRequest(index % 2 === 0 ? one : two, random));
    });
    await Promise.all(clients);
    expect(statuses.filter((status) => ![200, 400, 401, 404, 409].includes(status))).toEqual([]);
    expect(await one.query(brokenRows)).toEqual([]);
  });

  test('of concurrent list replacements each project has one of the lists, never a mixture', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => one.createUser()));
    const ids = users.map((user) => user.id);
    const projects = await makeProjects(6, users);
    const lists = [ids.slice(0, 3), ids.slice(3), [...ids].reverse(), []];
    for (let round = 0; round < 25; round += 1) {
      const shuffled = round % 2 === 0 ? projects : [...projects].reverse();
      const responses = await Promise.all([
        one.as(admin).post('/api/projects/batch-assign', { project_ids: projects, assigned_user_ids: lists[0] }),
        two.as(admin).post('/api/projects/batch-assign', { project_ids: shuffled, assigned_user_ids: lists[1] }),
        two
          .as(admin)
          .post('/api/projects/batch-assign', { project_ids: shuffled, user_ids: lists[2], assign_type: 'replace' }),
        one
          .as(admin)
          .post('/api/projects/batch-assign', { project_ids: projects, user_ids: lists[3], assign_type: 'replace' }),
      ]);
      expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200]);
      const rows = await one.query<{ id: number; ids: number[] }>(
        `SELECT p.id, array(SELECT a.user_id FROM project_assignments a WHERE a.project_id = p.id ORDER BY a.position, a.user_id) AS ids
         FROM projects p WHERE p.id >= $1 AND p.id <= $2 ORDER BY p.id`,
        [projects[0] ?? 0, projects.at(-1) ?? 0],
      );
      // All four list the same projects, so the last one wins for all of them.
      expect(new Set(rows.map((row) => JSON.stringify(row.ids))).size).toBe(1);
      expect(lists.map((list) => JSON.stringify(list))).toContain(JSON.stringify(rows[0]?.ids));
    }
    expect(await one.query(brokenRows)).toEqual([]);
  });

  test('a batch is atomic for readers, and visible once it has completed', async () => {
    const user = await one.createUser();
    const projects = await makeProjects(5, [await one.createUser()]);
    let completedRound = 0;
    let startedRound = 0;
    const wrong: string[] = [];
    const writer = (async () => {
      for (let round = 1; round <= 60; round += 1) {
        startedRound = round;
        const body = { project_ids: projects, assigned_user_ids: round % 2 === 1 ? [user.id] : [] };
        await one.as(admin).post('/api/projects/batch-assign', body).expect(200);
        completedRound = round;
      }
    })();
    const readers = Array.from({ length: 3 }, async (_, index) => {
      for (let round = 0; round < 60; round += 1) {
        const before = completedRound;
        const { total } = (await (index === 0 ? one : two).as(user).get('/api/projects').expect(200)).body.data
          .pagination;
        if (total !== 0 && total !== 5) wrong.push(`partial batch: ${total}`);
        if (before === startedRound && total !== (before % 2 === 1 ? 5 : 0))
          wrong.push(`stale after ${before}: ${total}`);
      }
    });
    await Promise.all([writer, ...readers]);
    expect(wrong).toEqual([]);
  });
});
