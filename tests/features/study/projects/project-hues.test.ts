import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assign, createProject, unassign } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());

type Colored = { id: number; color: number; status: string };

async function colorsOf(user: TestUser): Promise<Colored[]> {
  const { body } = await app.as(user).get('/api/projects?limit=100').expect(200);
  return body.data.projects;
}

/** Chosen colors are kept; the others differ from these and from one another. */
async function expectDistinct(user: TestUser, chosen: ReadonlyMap<number, number>) {
  const active = (await colorsOf(user)).filter(({ status }) => status === 'active');
  for (const { id, color } of active) {
    if (chosen.has(id)) expect(color).toBe(chosen.get(id));
    const detail = await app.as(user).get(`/api/projects/${id}`).expect(200);
    expect(detail.body.data.color).toBe(color);
  }
  const kept = new Set(active.flatMap(({ id }) => chosen.get(id) ?? []));
  const others = active.filter(({ id }) => !chosen.has(id)).map(({ color }) => color);
  if (active.length > 12) return;
  expect(new Set(others).size).toBe(others.length);
  expect(others.filter((color) => kept.has(color))).toEqual([]);
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('create', 'assign'),
      color: fc.option(fc.integer({ min: 1, max: 12 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('pause', 'remove', 'choose'),
      color: fc.integer({ min: 1, max: 12 }),
    }),
  },
);

test('of the active projects of a person no two have the same color while they are at most twelve', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      const user = await app.createUser();
      const chosen = new Map<number, number>();
      for (const { kind, color } of steps) {
        if (kind === 'create' || kind === 'assign') {
          // Ids between those of others: hues that follow from ids alone would be the same.
          await app.query(`SELECT setval('projects_id_seq', (SELECT last_value FROM projects_id_seq) + 11)`);
          const id = await createProject(app, kind === 'create' ? user : admin, 'Algebra', 'active', { color });
          if (kind === 'assign') await assign(app, id, user);
          if (color !== null) chosen.set(id, color);
        } else {
          const [project] = await colorsOf(user);
          if (project === undefined) continue;
          const change = kind === 'choose' ? { color } : { status: 'paused' };
          if (kind === 'remove') await unassign(app, project.id, user);
          else await app.as(admin).put(`/api/projects/${project.id}`, change).expect(200);
          if (kind === 'choose') chosen.set(project.id, color ?? 1);
        }
        await expectDistinct(user, chosen);
      }
    }),
    { numRuns: 6 },
  );
});

test('projects that are created and assigned at the same time differ, and the answers have the colors of the lists', async () => {
  const user = await app.createUser();
  const shared = await Promise.all(['Latin', 'Greek'].map((name) => createProject(app, admin, name)));
  await app.query(`SELECT setval('projects_id_seq', (SELECT last_value FROM projects_id_seq) + 10)`);
  await Promise.all([
    ...shared.map((id) => assign(app, id, user)),
    ...Array.from({ length: 6 }, (_, index) =>
      app
        .as(user)
        .post('/api/projects', { name: `Project ${index}` })
        .expect(201),
    ),
  ]);
  await expectDistinct(user, new Map());
  expect(await colorsOf(user)).toHaveLength(8);
  await app.query(`SELECT setval('projects_id_seq', (SELECT last_value FROM projects_id_seq) + 11)`);
  const { body } = await app.as(user).post('/api/projects', { name: 'Piano' }).expect(201);
  expect((await colorsOf(user)).find(({ id }) => id === body.data.id)?.color).toBe(body.data.color);
});

test('what a client sends back as it read it is not a choice, and statistics have the colors of the student', async () => {
  const user = await app.createUser();
  await app.query(`SELECT setval('projects_id_seq', (SELECT last_value FROM projects_id_seq) + 12)`);
  const first = await createProject(app, user, 'Algebra');
  await app.query(`SELECT setval('projects_id_seq', $1)`, [first + 11]);
  const second = await createProject(app, user, 'Piano');
  const [color] = (await colorsOf(user)).filter(({ id }) => id === second).map((project) => project.color);
  expect(color).toBe((second % 12) + 1);
  await app.as(user).put(`/api/projects/${second}`, { name: 'Piano 2', color }).expect(200);
  expect(await app.query('SELECT color FROM projects WHERE id = $1', [second])).toEqual([{ color: null }]);
  const record = { started_at: new Date(Date.now() - 7_200_000).toISOString(), duration_seconds: 3600 };
  await app.as(user).post(`/api/projects/${second}/sessions`, record).expect(201);
  const { body } = await app.as(admin).get(`/api/stats?user_id=${user.id}&from=2026-01-01`).expect(200);
  expect(body.data.by_project).toMatchObject([{ project_id: second, color }]);
});
