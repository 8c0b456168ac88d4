import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let all: { id: number; started_at: string; ended_at: string | null }[];

const insert = `
  INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, source, time_zone)
  SELECT $1, (SELECT user_id FROM projects WHERE id = $1), u.id, t, CASE WHEN n <> 5 THEN t + interval '20 minutes' END, 'manual', 'UTC'
  FROM unnest($2::bigint[]) AS u (id), generate_series(1, 24) AS n,
    LATERAL (SELECT '2026-03-01T22:00:00Z'::timestamptz + (n * n % 29 * 5 + n % 3) * interval '1 hour' AS t) AS at
  ON CONFLICT DO NOTHING`;

beforeAll(async () => {
  // An hour after the timers started.
  app = await startTestApp({ clock: createTestClock(new Date('2026-03-07T06:00:00.000Z')) });
  admin = await app.createUser({ role: 'admin' });
  const users = [await app.createUser(), await app.createUser()];
  const projects = [await createProject(app, users[0] as TestUser), await createProject(app, users[1] as TestUser)];
  await app.query(insert, [projects[0], users.map(({ id }) => id)]);
  // Moves some to another day and deletes others.
  await app.query(`UPDATE study_sessions SET started_at = started_at - interval '40 hours', ended_at = ended_at - interval '40 hours'
    WHERE id % 11 = 0 AND started_at < '2026-03-03'`);
  await app.query('DELETE FROM study_sessions WHERE id % 7 = 0');
  all = await app.query(
    `SELECT id::integer, started_at::text, ended_at::text FROM study_sessions ORDER BY started_at, id`,
  );
});
afterAll(() => app.stop());

const ranges: Record<string, string>[] = [
  {},
  { from: '2026-03-03T00:00:00Z' },
  { to: '2026-03-04T00:00:00Z' },
  { from: '2026-03-02T11:30:00Z', to: '2026-03-05T05:00:00.001Z' },
  { from: '2026-03-03T01:00:00Z', to: '2026-03-03T12:00:00Z' },
  { from: '2027-01-01T00:00:00Z' },
  { from: '2026-03-04T00:00:00Z', to: '2026-03-03T00:00:00Z' },
];

test.each(ranges.flatMap((range) => ['asc', 'desc'].map((order) => ({ ...range, order }))))(
  'an administrator’s pages of all records with %j contain each record once',
  async (query: Record<string, string>) => {
    for (const [running, limit] of [
      ['', 1],
      ['', 100],
      ['false', 4],
    ] as const) {
      const [from, to] = [Date.parse(query['from'] ?? '2000-01-01Z'), Date.parse(query['to'] ?? '2100-01-01Z')];
      const expected = all
        .filter((row) => Date.parse(row.started_at) >= from && Date.parse(row.started_at) < to)
        .filter((row) => running === '' || row.ended_at !== null)
        .map((row) => row.id);
      if (query['order'] === 'desc') expected.reverse();
      const found: number[] = [];
      const pages = Math.ceil(expected.length / limit);
      for (let page = 1; page <= pages + 1; page += 1) {
        const parameters = new URLSearchParams({ ...query, running, limit: `${limit}`, page: `${page}` });
        const { data } = (await app.as(admin).get(`/api/sessions?${parameters}`).expect(200)).body;
        expect(data.pagination).toEqual({ page, limit, total: expected.length, pages });
        found.push(...data.sessions.map((session: { id: number }) => session.id));
      }
      expect(found).toEqual(expected);
    }
  },
);

test('a class teacher’s pages contain each record of the class once, with long records, a running timer and a student without records', async () => {
  const class_ = await Promise.all(Array.from({ length: 6 }, () => app.createUser()));
  const other = await app.createUser();
  const created = await app
    .as(admin)
    .post('/api/admin/groups', { name: 'Class of pages', user_ids: class_.map(({ id }) => id) })
    .expect(201);
  const teacher = await app.createUser({ role: 'admin' });
  const scope = { admin_scope: 'groups', admin_group_ids: [created.body.data.id] };
  await app.as(admin).put(`/api/admin/users/${teacher.id}`, scope).expect(200);
  // The record that ended last began before all others; the last two students have only a timer, or nothing.
  const hours = [
    [[100, 124]],
    [
      [101, 102],
      [90, 91],
      [20, 21],
    ],
    [
      [101, 103],
      [100, 101],
    ],
    [
      [110, 111],
      [112, 113],
      [114, 115],
    ],
    [[116, undefined]],
    [],
  ] as const;
  const project = await createProject(app, other);
  const rows = [...hours.flatMap((each, n) => each.map((hour) => [class_[n]?.id, ...hour])), [other.id, 117, 118]];
  const written: { id: number; from: number }[] = [];
  for (const [user, from = 0, to] of rows) {
    const [row] = await app.query<{ id: number }>(
      `INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, source, time_zone)
       SELECT $1, $2, $3, at + $4 * interval '1 hour', at + $5 * interval '1 hour', 'manual', 'UTC'
       FROM (SELECT '2026-03-01Z'::timestamptz AS at) AS at RETURNING id::integer`,
      [project, other.id, user, from, to ?? null],
    );
    if (user !== other.id) written.push({ id: row?.id ?? 0, from });
  }
  const expected = written.toSorted((a, b) => b.from - a.from || b.id - a.id).map(({ id }) => id);
  for (const [limit, order] of [
    ...([1, 2, 3, 4, 100] as const).map((each) => [each, 'desc'] as const),
    [4, 'asc'] as const,
  ]) {
    const found: number[] = [];
    for (let page = 1; page <= Math.ceil(expected.length / limit); page += 1) {
      const { body } = await app
        .as(teacher)
        .get(`/api/sessions?limit=${limit}&page=${page}&order=${order}`)
        .expect(200);
      expect(body.data.pagination.total).toBe(expected.length);
      found.push(...body.data.sessions.map((session: { id: number }) => session.id));
    }
    expect([limit, found]).toEqual([limit, order === 'desc' ? expected : expected.toReversed()]);
  }
});
