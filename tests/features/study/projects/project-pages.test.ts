import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let all: { id: number; status: string; category: string }[];

const insert = `
  INSERT INTO projects (user_id, name, status, category, created_at, updated_at)
  SELECT $1, 'Project ' || n, CASE WHEN n % 9 = 0 THEN 'paused' WHEN n % 2 = 0 THEN 'completed' ELSE 'active' END,
    CASE WHEN n % 3 = 0 THEN 'skill' ELSE 'other' END, t, now()
  FROM generate_series(1, 60) AS n,
    LATERAL (SELECT '2025-11-20T00:00:00Z'::timestamptz + (n * n % 37 * 4) * interval '24 hours' AS t) AS at`;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
  await app.query(insert, [(await app.createUser()).id]);
  await app.query(`UPDATE projects SET status = 'paused', category = 'hobby' WHERE id % 8 = 0`);
  await app.query('UPDATE projects SET deleted_at = now() WHERE id % 7 = 0');
  await app.query('UPDATE projects SET deleted_at = NULL WHERE id % 14 = 0');
  await app.query('DELETE FROM projects WHERE id % 13 = 0');
  all = await app.query(
    'SELECT id::integer, status, category FROM projects WHERE deleted_at IS NULL ORDER BY created_at, id',
  );
});
afterAll(() => app.stop());

const filters: Record<string, string>[] = [
  {},
  { status: 'paused' },
  { category: 'hobby' },
  { status: 'completed', category: 'skill' },
  { status: 'active', category: 'academic' },
];

test.each(filters.flatMap((filter) => ['asc', 'desc'].map((order) => ({ ...filter, order }))))(
  'an administrator’s pages with %j contain each project once',
  async (query: Record<string, string>) => {
    const expected = all
      .filter(({ status }) => (query['status'] ?? status) === status)
      .filter(({ category }) => (query['category'] ?? category) === category)
      .map(({ id }) => id);
    if (query['order'] === 'desc') expected.reverse();
    for (const limit of [1, 4, 100]) {
      const found: number[] = [];
      const pages = Math.ceil(expected.length / limit);
      for (let page = 1; page <= pages + 1; page += 1) {
        const parameters = new URLSearchParams({ ...query, limit: `${limit}`, page: `${page}` });
        const { data } = (await app.as(admin).get(`/api/projects?${parameters}`).expect(200)).body;
        expect(data.pagination).toEqual({ page, limit, total: expected.length, pages });
        found.push(...data.projects.map((project: { id: number }) => project.id));
      }
      expect(found).toEqual(expected);
    }
  },
);
