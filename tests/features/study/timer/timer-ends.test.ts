import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectInvariants } from '../../../support/invariants.ts';
import { assign, createProject, figures, trueFigures } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const hour = 3_600_000;
const now = new Date('2026-11-20T12:00:00.000Z');
const clock = createTestClock(now);
let app: TestApp;
let admin: TestUser;

beforeAll(async () => {
  app = await startTestApp({ clock, settings: { ACCESS_TOKEN_TTL: '86400' } });
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());
afterEach(() => expectInvariants(app));

type Case = { user: TestUser; project: number; timer: number };
const change = (path: string, body: object) => app.as(admin).put(path, body).expect(200);
const batch = (body: object) => app.as(admin).post('/api/projects/batch-assign', body).expect(200);

/** Who the user of the timer is to its project. */
const relations = [
  'owner',
  'member',
  'administrator',
  'administrator who is the owner',
  'administrator who is a member',
];
const visitor = ['administrator'];
const members = ['member'];

/** What may happen, whom it concerns, and whether the service, not the user, ends the timer. */
const events: Record<
  string,
  { ends: readonly string[]; automatic: boolean; happen: (at: Case) => PromiseLike<unknown> }
> = {
  'the user stops it': {
    ends: relations,
    automatic: false,
    happen: ({ user }) => app.as(user).post('/api/timer/stop').expect(200),
  },
  'the user starts one elsewhere': {
    ends: relations,
    automatic: false,
    happen: async ({ user }) =>
      app
        .as(user)
        .post('/api/timer/start', { project_id: await createProject(app, user, 'Other') })
        .expect(201),
  },
  'the project is paused': {
    ends: relations,
    automatic: true,
    happen: ({ project }) => change(`/api/projects/${project}`, { status: 'paused' }),
  },
  'the project is completed': {
    ends: relations,
    automatic: true,
    happen: ({ project }) => change(`/api/projects/${project}`, { status: 'completed' }),
  },
  'the project is deleted': {
    ends: relations,
    automatic: true,
    happen: ({ project }) => app.as(admin).delete(`/api/projects/${project}`).expect(200),
  },
  'the project is renamed': {
    ends: [],
    automatic: true,
    happen: ({ project }) => change(`/api/projects/${project}`, { name: 'Renamed' }),
  },
  'the project gets a list of others': {
    ends: members,
    automatic: true,
    happen: ({ project }) => change(`/api/projects/${project}`, { assigned_user_ids: [] }),
  },
  'the user is unassigned in a batch': {
    ends: members,
    automatic: true,
    happen: ({ project, user }) => batch({ project_ids: [project], user_ids: [user.id], assign_type: 'remove' }),
  },
  'the user is replaced in a batch': {
    ends: members,
    automatic: true,
    happen: ({ project }) => batch({ project_ids: [project], user_ids: [], assign_type: 'replace' }),
  },
  'the user is deactivated': {
    ends: relations,
    automatic: true,
    happen: ({ user }) => change(`/api/admin/users/${user.id}`, { status: 'inactive' }),
  },
  'the user becomes an ordinary one': {
    ends: visitor,
    automatic: true,
    happen: ({ user }) => change(`/api/admin/users/${user.id}`, { role: 'user' }),
  },
  'the user is deleted': {
    ends: relations,
    automatic: true,
    happen: ({ user }) => app.as(admin).delete(`/api/admin/users/${user.id}`).expect(200),
  },
  'the user is renamed': {
    ends: [],
    automatic: true,
    happen: ({ user }) => change(`/api/admin/users/${user.id}`, { display_name: 'Other' }),
  },
};

async function begin(relation: string, startedAgo: number): Promise<Case> {
  const user = await app.createUser();
  const project = await createProject(app, relation.endsWith('owner') ? user : await app.createUser());
  if (relation.endsWith('member')) await assign(app, project, user);
  if (relation.startsWith('administrator')) await change(`/api/admin/users/${user.id}`, { role: 'admin' });
  clock.set(new Date(now.getTime() - startedAgo));
  const author = relation.startsWith('administrator') ? { ...user, role: 'admin' as const } : user;
  const timer = (await app.as(author).post('/api/timer/start', { project_id: project }).expect(201)).body.data.id;
  clock.set(now);
  return { user: author, project, timer };
}

const read = async ({ timer }: Case) => {
  const [row] = await app.query<{ ended_at: string | null; auto_stopped: boolean }>(
    'SELECT ended_at, auto_stopped FROM study_sessions WHERE id = $1',
    [timer],
  );
  return row;
};

describe.each(Object.entries(events))('when %s', (_event, { ends, automatic, happen }) => {
  test.each(relations)('the timer of the project’s %s', async (relation) => {
    const own = await begin(relation, hour);
    await happen(own);
    expect(await read(own)).toEqual(
      ends.includes(relation)
        ? { ended_at: now.toISOString(), auto_stopped: automatic }
        : { ended_at: null, auto_stopped: false },
    );
    expect(await figures(app, own.project)).toEqual(await trueFigures(app, own.project));
  });

  test.runIf(ends.length > 0).each([
    ['just started', 0, 1_000, automatic],
    ['left running', 13 * hour, 12 * hour, true],
  ])('a timer %s', async (_how, startedAgo, length, auto_stopped) => {
    const own = await begin(ends[0] ?? '', startedAgo);
    await happen(own);
    const ended_at = new Date(now.getTime() - startedAgo + length).toISOString();
    expect(await read(own)).toEqual({ ended_at, auto_stopped });
  });
});

describe('an administrator who becomes an ordinary user', () => {
  test('keeps the names of projects as they were then', async () => {
    const own = await begin('administrator', hour);
    await change(`/api/admin/users/${own.user.id}`, { role: 'user' });
    await change(`/api/projects/${own.project}`, { name: 'Secret plans' });
    const user = { ...own.user, role: 'user' as const };
    const texts = ['/api/sessions', `/api/sessions/${own.timer}`, '/api/stats', '/api/sessions/export?format=csv'];
    for (const path of texts) {
      const { text } = await app.as(user).get(path).expect(200);
      expect([path, text.includes('Algebra'), text.includes('Secret plans')]).toEqual([path, true, false]);
    }
  });

  test('also after being unassigned while an administrator, but not on projects that they still see', async () => {
    const former = await begin('administrator who is a member', hour);
    await change(`/api/projects/${former.project}`, { assigned_user_ids: [] });
    const owned = await createProject(app, former.user, 'Own');
    const times = { started_at: '2026-11-19T10:00:00Z', duration_seconds: 60 };
    const { data } = (await app.as(former.user).post(`/api/projects/${owned}/sessions`, times).expect(201)).body;
    await change(`/api/admin/users/${former.user.id}`, { role: 'user' });
    await change(`/api/projects/${former.project}`, { name: 'Secret plans' });
    await change(`/api/projects/${owned}`, { name: 'Own plans' });
    const user = { ...former.user, role: 'user' as const };
    const nameOf = async (id: number) =>
      (await app.as(user).get(`/api/sessions/${id}`).expect(200)).body.data.project_name;
    expect([await nameOf(former.timer), await nameOf(data.id)]).toEqual(['Algebra', 'Own plans']);
  });
});

test('a user who is unassigned by the request that renames the project keeps the former name', async () => {
  const own = await begin('member', hour);
  await change(`/api/projects/${own.project}`, { name: 'Secret plans', assigned_user_ids: [] });
  expect((await app.as(own.user).get(`/api/sessions/${own.timer}`).expect(200)).body.data.project_name).toBe('Algebra');
});

test('a user’s long transaction delays neither the job nor the requests of others', async () => {
  const [busy, other] = [await begin('owner', 13 * hour), await begin('owner', 13 * hour)];
  const job = app.container.jobs.find(({ name }) => name === 'end overdue timers');
  await app.transaction(async (query) => {
    await query(`SELECT FROM users WHERE id = ${busy.user.id} FOR UPDATE`);
    const times = { started_at: new Date(now.getTime() - hour).toISOString(), duration_seconds: 60 };
    const on = await createProject(app, other.user, 'Other');
    await app.as(other.user).post(`/api/projects/${on}/sessions`, times).expect(201);
    await app.as(admin).get('/api/sessions').expect(200);
    await job?.run();
    expect((await read(busy))?.ended_at).toBeNull();
  });
  await job?.run();
  expect(await read(busy)).toMatchObject({
    ended_at: new Date(now.getTime() - hour).toISOString(),
    auto_stopped: true,
  });
});
