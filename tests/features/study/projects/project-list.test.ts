import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

type Project = {
  id: number;
  name: string;
  description: string;
  status: string;
  category: string;
  user_id: number;
} & Record<string, unknown>;

let app: TestApp;
let admin: TestUser;
let ann: TestUser;
let bob: TestUser;
const projects: Project[] = [];
const assignedTo = new Map<number, number[]>();

const names = [
  'Linear algebra',
  '线性代数',
  '100% ready',
  'under_score',
  'back\\slash',
  'ÜBUNG Deutsch',
  '中文 写作',
  'Piano',
  'Go 语言',
];

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
  ann = await app.createUser();
  bob = await app.createUser();
  for (let index = 0; index < 60; index += 1) {
    const assignees = [[ann.id], [bob.id, ann.id], [bob.id]][index % 3] ?? [];
    const owner = [ann, bob, admin][index % 4] ?? admin;
    const body = {
      name: `${names[index % names.length]} ${index % 7}`,
      description: index % 5 === 0 ? `about ${names[(index * 3) % names.length]}` : '',
      category: ['academic', 'skill', 'hobby', 'other'][index % 4],
      target_hours: (index * 37) % 50,
      rating_standard: ['excellent', 'good', 'normal'][index % 3],
      due_date: index % 3 === 0 ? null : `2026-0${(index % 5) + 1}-15`,
      assigned_user_ids: assignees,
    };
    const { data } = (await app.as(owner).post('/api/projects', body).expect(201)).body;
    assignedTo.set(data.id, owner === admin ? assignees : []);
    if (index % 6 === 5)
      await app.as(owner).put(`/api/projects/${data.id}`, { status: index % 12 === 5 ? 'paused' : 'completed' });
    await app.query('UPDATE projects SET current_seconds = $2 WHERE id = $1', [data.id, (index * 7919) % 90_000]);
    projects.push((await app.as(admin).get(`/api/projects/${data.id}`)).body.data);
  }
});
afterAll(() => app.stop());

/** The expected list, from a simple reference implementation. */
function expected(user: TestUser, query: Record<string, string>): number[] {
  const visible = projects.filter(
    (p) => user.role === 'admin' || p.user_id === user.id || assignedTo.get(p.id)?.includes(user.id),
  );
  const needle = query['search']?.toLowerCase();
  const creator = query['creator'] === 'me' ? user.id : Number(query['creator'] ?? Number.NaN);
  const filtered = visible.filter(
    (p) =>
      [undefined, 'all', p.status].includes(query['status']) &&
      [undefined, 'all', p.category].includes(query['category']) &&
      (Number.isNaN(creator) || p.user_id === creator) &&
      (needle === undefined || `${p.name}\n${p.description}`.toLowerCase().includes(needle)),
  );
  const sort = query['sort'] ?? 'created_at';
  const direction = query['order'] === 'asc' ? 1 : -1;
  const compare = (a: unknown, b: unknown) => (a === b ? 0 : (a as string) < (b as string) ? -1 : 1);
  const last = (p: Record<string, unknown>) => Number(p[sort] === null);
  return filtered
    .sort((a, b) => last(a) - last(b) || direction * (compare(a[sort], b[sort]) || a.id - b.id))
    .map((p) => p.id);
}

const sorts = [
  'id',
  'name',
  'status',
  'category',
  'rating_standard',
  'target_hours',
  'current_hours',
  'progress',
  'due_date',
  'created_at',
];
const query = fc.record(
  {
    status: fc.constantFrom('active', 'completed', 'paused', 'all'),
    category: fc.constantFrom('academic', 'skill', 'hobby', 'other', 'all'),
    creator: fc.constantFrom('me', 'all', 'ann', 'admin'),
    search: fc.constantFrom(
      'a',
      '线性',
      '中文 写',
      'linear',
      '%',
      '_',
      '\\',
      '100%',
      'übung',
      'about',
      'r_s',
      'no such',
      '语言 1',
      'deutsch',
    ),
    sort: fc.constantFrom(...sorts),
    order: fc.constantFrom('asc', 'desc'),
    page: fc.constantFrom('1', '2', '9'),
    limit: fc.constantFrom('1', '3', '10', '100', '5000'),
  },
  { requiredKeys: [] },
);

describe('the list', () => {
  test('any combination of filters, sort order and page returns the expected projects for each reader', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('admin', 'ann', 'bob'), query, async (who, given) => {
        const user = { admin, ann, bob }[who] ?? admin;
        const ids = new Map([
          ['ann', ann.id],
          ['admin', admin.id],
        ]);
        const creator = given.creator && String(ids.get(given.creator) ?? given.creator);
        const parameters: Record<string, string> = { ...given, ...(creator !== undefined && { creator }) };
        const response = await app
          .as(user)
          .get(`/api/projects?${new URLSearchParams(parameters)}`)
          .expect(200);
        const shown = expected(user, parameters);
        const limit = Math.min(Number(parameters['limit'] ?? 10), 100);
        const page = Number(parameters['page'] ?? 1);
        expect(response.body.data.projects.map((project: Project) => project.id)).toEqual(
          shown.slice((page - 1) * limit, page * limit),
        );
        expect(response.body.data.pagination).toEqual({
          page,
          limit,
          total: shown.length,
          pages: Math.ceil(shown.length / limit),
        });
      }),
      { numRuns: 150 },
    );
  });

  test('each project equals the project that is read alone', async () => {
    for (const user of [admin, ann, bob]) {
      const { projects } = (await app.as(user).get('/api/projects?limit=100').expect(200)).body.data;
      expect(projects.length).toBeGreaterThan(2);
      for (const listed of projects) {
        const alone = (await app.as(user).get(`/api/projects/${listed.id}`).expect(200)).body.data;
        const { sessions_count: _sessions, last_session: _last, achievements: _achievements, ...project } = alone;
        expect(listed).toEqual(project);
      }
    }
  });

  test('sorted by a field that records change, it is not stale', async () => {
    const ids = async () =>
      (await app.as(ann).get('/api/projects?sort=current_hours&limit=1')).body.data.projects[0].id;
    const [first, second] = (await app.as(ann).get('/api/projects?sort=current_hours&limit=2')).body.data.projects;
    expect(await ids()).toBe(first.id);
    await app.query('UPDATE projects SET current_seconds = 900000 WHERE id = $1', [second.id]);
    expect(await ids()).toBe(second.id);
    await app.query('UPDATE projects SET current_seconds = $2 WHERE id = $1', [
      second.id,
      Math.round(Number(second.current_hours) * 3600),
    ]);
  });

  test.each([
    'page=0',
    'page=-1',
    'page=abc',
    'page=1.5',
    'page=1e3',
    'limit=0',
    'limit=x',
    'status=nope',
    'category=nope',
    'sort=password_hash',
    'sort=created_at;drop',
    'order=sideways',
    'creator=someone',
    'page=1&page=2',
    'page[]=1',
    'status[x]=active',
    `search=${'x'.repeat(101)}`,
    'search=%00',
    'page=99999999999999999999999',
  ])('%s is rejected by name', async (bad) => {
    const response = await app.as(ann).get(`/api/projects?${bad}`).expect(400);
    expect(response.body.error.details[0].field).toBe(bad.split(/[=[]/)[0]);
  });

  test('ignores unknown and empty parameters, and caps the limit at 100', async () => {
    const response = await app
      .as(admin)
      .get('/api/projects?foo=1&foo[]=2&status=&search=%20&limit=99999999999999999999')
      .expect(200);
    expect(response.body.data.pagination).toMatchObject({ limit: 100, total: projects.length });
  });

  test('unassigned users lose access immediately', async () => {
    const carl = await app.createUser();
    const [one] = projects;
    const sees = async () => (await app.as(carl).get('/api/projects')).body.data.pagination.total;
    expect(await sees()).toBe(0);
    await app
      .as(admin)
      .put(`/api/projects/${one?.id}`, { assigned_user_ids: [carl.id] })
      .expect(200);
    expect(await sees()).toBe(1);
    await app
      .as(admin)
      .put(`/api/projects/${one?.id}`, { assigned_user_ids: assignedTo.get(one?.id ?? 0) })
      .expect(200);
    expect(await sees()).toBe(0);
  });

  test('the stored counts are exact', async () => {
    const stored = await app.query(
      `SELECT status, category, sum(total)::int AS n FROM project_counts GROUP BY 1, 2 HAVING sum(total) <> 0 ORDER BY 1, 2`,
    );
    const counted = await app.query(
      `SELECT status, category, count(*)::int AS n FROM projects WHERE deleted_at IS NULL GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    expect(stored).toEqual(counted);
  });
});

describe('the cached list', () => {
  test('returns the same bytes again, or 304 for a matching ETag', async () => {
    const first = await app.as(bob).get('/api/projects?limit=2').expect(200);
    const second = await app.as(bob).get('/api/projects?limit=2').expect(200);
    expect(second.text).toBe(first.text);
    await app
      .as(bob)
      .get('/api/projects?limit=2')
      .set('If-None-Match', first.headers['etag'] ?? '')
      .expect(304);
    const chinese = await app.as(bob).get('/api/projects?limit=2').set('Accept-Language', 'zh').expect(200);
    expect(chinese.body.message).not.toBe(first.body.message);
  });
});

test('first pages that are requested together are those of their readers', async () => {
  const nobody = await app.createUser();
  const readers = [ann, bob, nobody, admin, ann];
  const read = async (user: TestUser, limit: number) => {
    const { body } = await app.as(user).get(`/api/projects?limit=${limit}`).expect(200);
    return { ids: body.data.projects.map(({ id }: Project) => id), total: body.data.pagination.total };
  };
  const together = await Promise.all(readers.map((user, index) => read(user, 5 + index)));
  for (const [index, user] of readers.entries()) {
    const { ids, total } = await read(user, 100); // a page of this size is read alone
    expect(together[index]).toEqual({ ids: ids.slice(0, 5 + index), total });
  }
});
