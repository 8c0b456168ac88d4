import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectInvariants } from '../../../support/invariants.ts';
import { createProject } from '../../../support/records.ts';
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

const people = (count: number) => Promise.all(Array.from({ length: count }, () => one.createUser()));
const idsOf = (users: readonly TestUser[]) => users.map((user) => user.id).toSorted((a, b) => a - b);
let names = 0;
async function createGroup(user_ids: readonly number[] = []): Promise<number> {
  names += 1;
  const body = { name: `Group ${names}`, user_ids };
  return (await one.as(admin).post('/api/admin/groups', body).expect(201)).body.data.id;
}
const members = async (id: number): Promise<number[]> =>
  (await one.query<{ id: number }>('SELECT user_id AS id FROM group_members WHERE group_id = $1 ORDER BY 1', [id])).map(
    (row) => row.id,
  );
const at = (index: number) => (index % 2 === 0 ? one : two).as(admin);

describe('groups under contention', () => {
  test('twenty concurrent requests all add their member', async () => {
    const ids = idsOf(await people(20));
    const group = await createGroup();
    const responses = await Promise.all(
      ids.map((id, index) => at(index).post(`/api/admin/groups/${group}/members`, { add: [id] })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await members(group)).toEqual(ids);
    await expectInvariants(one);
  });

  test('of concurrent lists one wins completely; with If-Match exactly one is written', async () => {
    const ids = idsOf(await people(6));
    const group = await createGroup();
    const lists = [ids.slice(0, 3), ids.slice(3), ids.slice(1, 5), []];
    for (let round = 0; round < 10; round += 1) {
      const write = (user_ids: readonly number[], index: number) =>
        at(index).put(`/api/admin/groups/${group}`, { user_ids });
      await Promise.all(lists.map((list, index) => write(list, index).expect(200)));
      const sorted = lists.map((list) => JSON.stringify(list.toSorted((a, b) => a - b)));
      expect(sorted).toContain(JSON.stringify(await members(group)));
      const { headers } = await one.as(admin).get(`/api/admin/groups/${group}`).expect(200);
      const responses = await Promise.all(
        lists.map((_, index) =>
          at(index)
            .put(`/api/admin/groups/${group}`, { name: `Round ${round} of ${index}` })
            .set('If-Match', String(headers['etag'])),
        ),
      );
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412]);
    }
  });

  test('of twenty groups with the same name one is created', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => at(index).post('/api/admin/groups', { name: 'Only one' })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(400)]);
  });

  test('a batch assigns a consistent snapshot of changing members', async () => {
    const ids = idsOf(await people(8));
    const [odd, even] = [ids.filter((_, index) => index % 2 === 1), ids.filter((_, index) => index % 2 === 0)];
    const groups = [await createGroup(odd), await createGroup(odd)];
    const project = await createProject(one, admin);
    let isRead = false;
    // Both groups change in one transaction, so no snapshot contains a mixture of the two lists.
    const writer = (async () => {
      for (let round = 0; !isRead; round += 1)
        await two.query(
          `WITH gone AS (DELETE FROM group_members WHERE group_id = ANY($1::bigint[]) RETURNING 1)
           INSERT INTO group_members (group_id, user_id)
           SELECT g.id, u.id FROM unnest($1::bigint[]) AS g (id), unnest($2::bigint[]) AS u (id)`,
          [`{${groups.join()}}`, `{${(round % 2 === 0 ? even : odd).join()}}`],
        );
    })();
    const seen = new Set<string>();
    const body = { project_ids: [project], group_ids: groups, assign_type: 'replace' };
    // Until both lists were seen, however seldom a batch meets a change.
    try {
      for (let batch = 0; batch < 30 || seen.size < 2; batch += 1) {
        await one.as(admin).post('/api/projects/batch-assign', body).expect(200);
        const { assigned_user_ids } = (await one.as(admin).get(`/api/projects/${project}`).expect(200)).body.data;
        seen.add(assigned_user_ids.toSorted((a: number, b: number) => a - b).join());
      }
    } finally {
      isRead = true;
      await writer;
    }
    expect([...seen].toSorted()).toEqual([odd.join(), even.join()].toSorted());
  });

  test('groups, batches, and deactivated and deleted users cause no deadlock, no 5xx and no inconsistency', async () => {
    const ids = idsOf(await people(40));
    const groups = [await createGroup(ids), await createGroup(ids), await createGroup(ids), await createGroup(ids)];
    const projects = [await createProject(one, admin), await createProject(one, admin)];
    const leaving = ids.slice(0, 32);
    const statuses: number[] = [];
    const some = (round: number) => ids.slice(round % 20, (round % 20) + 15).toReversed();
    const clients = Array.from({ length: 8 }, async (_, index) => {
      for (let round = 0; round < 20; round += 1) {
        const group = groups[(index + round) % groups.length];
        const client = at(index);
        const send = [
          () => client.delete(`/api/admin/users/${leaving.pop() ?? 999_999}`),
          () => client.put(`/api/admin/groups/${group}`, { user_ids: some(round) }),
          () => client.post(`/api/admin/groups/${group}/members`, { add: some(round), remove: ids.slice(36) }),
          () =>
            client.post('/api/projects/batch-assign', {
              project_ids: projects,
              group_ids: groups,
              assign_type: round % 3 === 0 ? 'replace' : 'add',
            }),
          () => client.put(`/api/admin/users/${ids[35]}`, { status: round % 2 === 0 ? 'inactive' : 'active' }),
        ][(index + round) % 5];
        statuses.push((await send?.())?.status ?? 0);
      }
    });
    await Promise.all(clients);
    // 400: a list contains a deleted user.
    expect(statuses.filter((status) => ![200, 400, 404].includes(status))).toEqual([]);
    await expectInvariants(one);
  });
});
