import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactFields, contactSettings, getCaptcha, newAddress, runJob } from '../../support/contact.ts';
import { createProject } from '../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../support/test-app.ts';

/** Two simulated processes on one database. */
let apps: [TestApp, TestApp];
let admin: TestUser;
let user: TestUser;

beforeAll(async () => {
  const settings = { ...contactSettings, SMTP_URL: 'smtp://127.0.0.1:9' }; // mails are queued only
  const first = await startTestApp({ settings });
  apps = [first, await startTestApp({ settings, databaseUrl: first.databaseUrl })];
  admin = await first.createUser({ role: 'admin' });
  user = await first.createUser();
});
afterAll(async () => {
  await apps[1].stop();
  await apps[0].stop();
});

type Request = { path: string; body: object; caller?: TestUser; count: string };

/** A request for each creating operation, and a statement that counts the created rows. */
const requests: Record<string, () => Promise<Request>> = {
  createProject: async () => ({
    path: '/api/projects',
    body: { name: 'Only one', assigned_user_ids: [user.id] },
    caller: admin,
    count: `SELECT count(*) AS created FROM projects WHERE name = 'Only one'`,
  }),
  createUser: async () => ({
    path: '/api/admin/users',
    body: { username: 'only.one', email: 'only.one@example.org', password: 'a good password' },
    caller: admin,
    count: `SELECT count(*) AS created FROM users WHERE username = 'only.one'`,
  }),
  createGroup: async () => ({
    path: '/api/admin/groups',
    body: { name: 'Only one' },
    caller: admin,
    count: `SELECT count(*) AS created FROM groups WHERE name = 'Only one'`,
  }),
  createSession: async () => ({
    path: `/api/projects/${await createProject(apps[0], user)}/sessions`,
    body: { started_at: '2026-02-01T08:00:00Z', duration_seconds: 600, note: 'Only one' },
    caller: user,
    count: `SELECT count(*) AS created FROM study_sessions WHERE note = 'Only one'`,
  }),
  startTimer: async () => ({
    path: '/api/timer/start',
    body: { project_id: await createProject(apps[0], user), note: 'Only one timer' },
    caller: user,
    count: `SELECT count(*) AS created FROM study_sessions WHERE note = 'Only one timer'`,
  }),
  sendMessage: async () => ({
    path: '/api/admin/messages',
    body: { user_ids: [user.id], subject: 'Only one', text: 'Piano.' },
    caller: admin,
    count: `SELECT count(*) AS created FROM background_jobs WHERE queue = 'messages'`,
  }),
  createTerm: async () => ({
    path: '/api/admin/terms',
    body: { name: 'Only one', from: '2026-02-23', to: '2026-06-26' },
    caller: admin,
    count: `SELECT count(*) AS created FROM terms WHERE name = 'Only one'`,
  }),
  createSchoolDay: async () => ({
    path: '/api/admin/school-days',
    body: { name: 'Only one', from: '2026-04-06', to: '2026-04-06', kind: 'off' },
    caller: admin,
    count: `SELECT count(*) AS created FROM school_days WHERE name = 'Only one'`,
  }),
  createDaysOff: async () => ({
    path: '/api/me/days-off',
    body: { from: '2026-05-11', to: '2026-05-12', reason: 'Only one' },
    caller: user,
    count: `SELECT count(*) AS created FROM days_off WHERE reason = 'Only one'`,
  }),
  excuseUser: async () => ({
    path: `/api/admin/users/${user.id}/days-off`,
    body: { from: '2026-05-18', to: '2026-05-19', reason: 'Only one excuse' },
    caller: admin,
    count: `SELECT count(*) AS created FROM days_off WHERE reason = 'Only one excuse'`,
  }),
  submitContactRequest: async () => {
    const { captcha_id, answer } = await getCaptcha(apps[0]);
    return {
      path: '/api/contact/submit',
      body: contactFields({ name: 'Only one', captcha_id, captcha: answer }),
      count: `SELECT count(*) AS created FROM contact_requests WHERE name = 'Only one'`,
    };
  },
};

/** Requests whose response contains a secret, which is returned once. */
const secretRequests: Record<string, () => Request> = {
  createToken: () => ({
    path: '/api/me/tokens',
    body: { name: 'Only one', scopes: ['read'], expires_at: new Date(Date.now() + 86_400_000).toISOString() },
    caller: user,
    count: `SELECT count(*) AS created FROM personal_tokens WHERE name = 'Only one'`,
  }),
  createWebhook: () => ({
    path: '/api/admin/webhooks',
    body: { url: 'https://only-one.example.invalid/', events: ['project.created'] },
    caller: admin,
    count: `SELECT count(*) AS created FROM webhooks WHERE url LIKE '%only-one%'`,
  }),
  createReportLink: () => ({
    path: `/api/reports/students/${user.id}/links`,
    body: { from: '2026-01-01', to: '2026-01-31', expires_at: new Date(Date.now() + 86_400_000).toISOString() },
    caller: admin,
    count: 'SELECT count(*) AS created FROM report_links',
  }),
  createCalendar: () => ({
    path: '/api/me/calendar',
    body: {},
    caller: user,
    count: `SELECT count(*) AS created FROM personal_tokens WHERE scopes = '{calendar}'`,
  }),
};

test('every creating operation is tested', () => {
  // createUsers and requestExport limit concurrent requests per caller; their own tests cover idempotency.
  const creating = apps[0].container.operations
    .filter(({ id, idempotent }) => idempotent && id !== 'createUsers' && id !== 'requestExport')
    .map(({ id }) => id);
  expect([...Object.keys(requests), ...Object.keys(secretRequests)].sort()).toEqual(creating.sort());
});

test.each(Object.keys(secretRequests))('twenty concurrent equal requests return the secret once: %s', async (id) => {
  const request = secretRequests[id]?.();
  if (request === undefined) throw new Error('unknown request');
  const { path, body, caller, count } = request;
  const secrets = apps[0].container.operations.find((operation) => operation.id === id)?.secrets ?? [];
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      apps[index % 2 === 0 ? 0 : 1].as(caller).post(path, body).set('Idempotency-Key', `key-of-${id}`),
    ),
  );
  expect(responses.filter(({ status }) => status >= 300)).toEqual([]);
  expect(responses.filter((response) => response.headers['idempotent-replayed'] === 'true')).toHaveLength(19);
  expect(responses.filter((response) => secrets.some((secret) => response.body.data[secret] !== ''))).toHaveLength(1);
  expect(await apps[0].query(count)).toEqual([{ created: 1 }]);
});

test.each(Object.keys(requests))('twenty concurrent equal requests to two instances create once: %s', async (id) => {
  const request = await requests[id]?.();
  if (request === undefined) throw new Error('unknown request');
  const { path, body, caller, count } = request;
  const address = newAddress();
  const post = (app: TestApp, sent: object) =>
    app.as(caller).post(path, sent).set('X-Forwarded-For', address).set('Idempotency-Key', `key-of-${id}`);

  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => post(apps[index % 2 === 0 ? 0 : 1], body)),
  );

  const { status = 200 } = apps[0].container.operations.find((operation) => operation.id === id) ?? {};
  expect(responses.map((response) => response.status)).toEqual(Array(20).fill(status));
  const [first] = responses;
  expect(responses.map((response) => response.text)).toEqual(Array(20).fill(first?.text));
  expect(responses.map((response) => response.headers['location'])).toEqual(Array(20).fill(first?.headers['location']));
  expect(responses.filter((response) => response.headers['idempotent-replayed'] === 'true')).toHaveLength(19);
  expect(await apps[0].query(count)).toEqual([{ created: 1 }]);

  const field = ['note', 'name', 'username', 'text', 'reason'].find((name) => name in body) ?? '';
  const mismatched = await post(apps[1], { ...body, [field]: 'Another' });
  expect(mismatched.body.error?.code ?? mismatched.body.code).toBe('IDEMPOTENCY_MISMATCH');
  expect(await apps[0].query(count)).toEqual([{ created: 1 }]);
});

test('of a caller at most the newest 50,000 keys are stored', async () => {
  await apps[0].query(
    `INSERT INTO idempotency_keys (caller, path, key, request_hash, created_at)
     SELECT 'user 0', '/api/timer/start', n, '', now() - n * interval '1 second' FROM generate_series(1, 50010) n`,
  );
  await runJob(apps[0], 'purge idempotency keys');
  const [kept] = await apps[0].query(
    `SELECT count(*)::int AS count, max(key::int) AS oldest FROM idempotency_keys WHERE caller = 'user 0'`,
  );
  expect(kept).toEqual({ count: 50_000, oldest: 50_000 });
});
