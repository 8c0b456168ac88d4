import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieOf } from '../../support/browser.ts';
import { contactFields, contactSettings, getCaptcha, submit } from '../../support/contact.ts';
import { readDocument } from '../../support/malicious-input/document.ts';
import { onePixel } from '../../support/one-pixel.ts';
import { newToken } from '../../support/personal-tokens.ts';
import { createProject } from '../../support/records.ts';
import { codeAt } from '../../support/second-factor.ts';
import { startTestApp, type TestApp, type TestUser } from '../../support/test-app.ts';

const password = 'a good password';
let app: TestApp;
let admin: TestUser;
let user: TestUser;
/** The user whose identity the attacker attempts to assign. */
let victim: TestUser;
let project: number;
let session: number;
let request: number;
let group: number;
let webhook: number;
let term: number;
let schoolDay: number;
let daysOff: number;
const week = { from: '2026-10-01', to: '2026-10-07' };
const holiday = { name: 'Holidays', kind: 'off', ...week };
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings });
  admin = await app.createUser({ role: 'admin' });
  victim = await app.createUser();
  const account = { username: 'attacker', email: 'attacker@example.org', password };
  await app.as(admin).post('/api/admin/users', account).expect(201);
  await signIn();
  project = await createProject(app, user);
  const record = { started_at: '2026-02-01T08:00:00Z', duration_seconds: 600 };
  session = (await app.as(user).post(`/api/projects/${project}/sessions`, record).expect(201)).body.data.id;
  request = (await submit(app)).body.requestId;
  group = (await app.as(admin).post('/api/admin/groups', { name: 'Theirs' }).expect(201)).body.data.id;
  const hook = { url: 'https://example.invalid/', events: ['goal.reached'] };
  term = (
    await app
      .as(admin)
      .post('/api/admin/terms', { name: 'Term', ...week })
      .expect(201)
  ).body.data.id;
  schoolDay = (await app.as(admin).post('/api/admin/school-days', holiday).expect(201)).body.data.id;
  daysOff = (await app.as(user).post('/api/me/days-off', week).expect(201)).body.data.id;
  webhook = (await app.as(admin).post('/api/admin/webhooks', hook).expect(201)).body.data.id;
});
afterAll(() => app.stop());

async function signIn(): Promise<string> {
  await app.query(`UPDATE users SET totp_secret = NULL WHERE username = 'attacker'`);
  const { body } = await app.anonymous.post('/api/auth/login', { username: 'attacker', password }).expect(200);
  const { id, username, email, role } = body.data.user;
  user = { id, username, email, role, token: body.data.token };
  return body.data.refresh_token;
}

async function signInOnPage(): Promise<string> {
  const credentials = { username: 'attacker', password };
  return cookieOf(await app.anonymous.post('/api/auth/browser/sign-in', credentials).expect(200));
}

/** Begins setting up a second factor and returns the code that confirms it. */
async function beginTotp(): Promise<string> {
  const { body } = await app.as(user).post('/api/auth/totp', { current_password: password }).expect(200);
  return codeAt(body.data.secret, new Date());
}

/** All columns that no body may set, with values that `poisoned` finds. */
function poison(status: string): Record<string, unknown> {
  const [number, text, date] = [87_654_321, 'poison', '2001-02-03T04:05:06.000Z'];
  return {
    ...{
      id: number,
      project_id: number,
      requestId: number,
      row_version: number,
      token_version: number,
      version: number,
    },
    ...{ user_id: victim.id, owner_id: victim.id, owner: victim.id, created_by: victim.id, actor_id: victim.id },
    ...{ former_user_ids: [victim.id], assigned_user_id: victim.id, creator: victim.id, author: { id: victim.id } },
    ...{ role: 'admin', is_admin: true, admin: true, permissions: ['*'], status, active: false, disabled: true },
    ...{ current_hours: number, current_seconds: number, progress: 87.65, sessions_count: number, hours: number },
    ...{ plan_started_at: date, own_hours: number, own_last_session: date },
    ...{ image: text, image_url: text, password_hash: text, username: text, admin_note: text, ip_address: text },
    ...{ user_agent: text, source: 'timer', auto_stopped: true, achievements: [{ id: 9 }], position: number },
    ...{
      created_at: date,
      updated_at: date,
      deleted_at: date,
      last_login_at: date,
      assigned_at: date,
      changed_at: date,
    },
    ...{ totp_enabled: true, totp_secret: text, device: text, address: text, last_used_at: date },
    ...{ expires_at: date, revoked_at: date, started: date, attempted_at: date, accepted: false, last_session: date },
  };
}

/** Rows that contain a value of the attacker. */
async function poisoned(): Promise<{ name: string; found: string }[]> {
  const tables = await app.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  const marks = `t::text ~ '87654321|poison|2001-02-03|87\\.65'`;
  const scans = tables.map(({ name }) => `SELECT '${name}' AS name, t::text AS found FROM "${name}" t WHERE ${marks}`);
  const rights = `
    SELECT 'rights', u::text FROM users u WHERE (u.role = 'admin' AND u.id <> ${admin.id}) OR u.status = 'inactive'
    UNION ALL SELECT 'owner', p::text FROM projects p WHERE p.user_id = ${victim.id} OR p.assigned_user_id = ${victim.id}
      OR ${victim.id} = ANY(p.former_user_ids) OR p.status = 'paused'
    UNION ALL SELECT 'record', s::text FROM study_sessions s
      WHERE ${victim.id} IN (s.user_id, s.owner_id) OR s.auto_stopped OR (s.source = 'timer' AND s.ended_at IS NOT NULL)
    UNION ALL SELECT 'request', c::text FROM contact_requests c WHERE c.user_id IS NOT NULL OR c.status = 'resolved'
    UNION ALL SELECT 'audit', a::text FROM audit_log a WHERE a.actor_id <> ${admin.id}
    UNION ALL SELECT 'achievement', e::text FROM user_achievements e WHERE e.achievement_id = 9`;
  return app.query([...scans, rights].join(' UNION ALL '));
}

type Attempt = {
  by: 'user' | 'admin' | 'nobody';
  path?: string;
  body: () => object | Promise<object>;
  cookie?: () => Promise<string>;
  status?: string;
};
const record = { started_at: '2026-02-02T08:00:00Z', duration_seconds: 600, note: 'Mine' };

/** A valid body of every operation that takes one; a missing operation fails the test. */
const attempts: Record<string, Attempt[]> = {
  login: [{ by: 'nobody', body: () => ({ username: 'attacker', password }) }],
  refreshToken: [{ by: 'nobody', body: async () => ({ refresh_token: await signIn() }) }],
  browserSignIn: [{ by: 'nobody', body: () => ({ username: 'attacker', password }) }],
  browserRefresh: [{ by: 'nobody', body: () => ({}), cookie: signInOnPage }],
  browserSignOut: [{ by: 'nobody', body: () => ({}) }],
  updateMe: [{ by: 'user', body: () => ({ display_name: 'Me' }), status: 'inactive' }],
  confirmEmail: [
    {
      by: 'nobody',
      body: async () => {
        await app.query(
          `INSERT INTO email_changes (user_id, email, token_hash, created_at, expires_at)
           VALUES ($1, 'me@example.org', sha256('the token'), now(), now() + interval '1 day')`,
          [user.id],
        );
        return { token: 'the token' };
      },
    },
  ],
  forgotPassword: [{ by: 'nobody', body: () => ({ email: 'nobody@example.org' }) }],
  acceptLink: [
    {
      by: 'nobody',
      body: async () => {
        await app.query(
          `INSERT INTO account_links (user_id, purpose, token_hash, by_administrator, created_at, expires_at)
           VALUES ($1, 'password_reset', sha256('the link'), false, now(), now() + interval '1 hour')`,
          [user.id],
        );
        return { token: 'the link', password };
      },
    },
  ],
  deleteMe: [], // leaves no rows to check
  changePassword: [{ by: 'user', body: () => ({ current_password: password, new_password: password }) }],
  beginTotp: [{ by: 'user', body: () => ({ current_password: password }) }],
  confirmTotp: [{ by: 'user', body: async () => ({ otp: await beginTotp() }) }],
  disableTotp: [
    {
      by: 'user',
      body: async () => {
        const otp = await beginTotp();
        const { body } = await app.as(user).post('/api/auth/totp/confirm', { otp }).expect(200);
        return { current_password: password, otp: body.data.recovery_codes[0] };
      },
    },
  ],
  createToken: [{ by: 'user', body: () => newToken({}) }],
  createReportLink: [
    {
      by: 'admin',
      path: '/api/reports/students/USER/links',
      body: () => ({
        from: '2026-01-01',
        to: '2026-01-31',
        expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      }),
    },
  ],
  readSharedReport: [
    {
      by: 'nobody',
      body: async () => {
        await app.query(
          `INSERT INTO report_links (user_id, created_by, token_hash, first_day, last_day, created_at, expires_at)
           VALUES ($1, $2, sha256('the report'), '2026-01-01', '2026-01-31', now(), now() + interval '1 day')`,
          [user.id, admin.id],
        );
        return { token: 'the report' };
      },
    },
  ],
  createUser: [{ by: 'admin', body: () => ({ username: 'newcomer', email: 'newcomer@example.org', password }) }],
  updateUser: [{ by: 'admin', path: '/api/admin/users/USER', body: () => ({ display_name: 'You' }) }],
  resetPassword: [
    { by: 'admin', path: '/api/admin/users/USER/reset-password', body: () => ({ password }), status: 'inactive' },
  ],
  createUsers: [{ by: 'admin', body: () => ({ users: [{ username: 'second', email: 'second@example.org' }] }) }],
  createGroup: [{ by: 'admin', body: () => ({ name: 'Mine', user_ids: [user.id] }) }],
  updateGroup: [{ by: 'admin', path: '/api/admin/groups/GROUP', body: () => ({ name: 'Ours' }) }],
  changeGroupMembers: [{ by: 'admin', path: '/api/admin/groups/GROUP/members', body: () => ({ add: [user.id] }) }],
  createTerm: [{ by: 'admin', body: () => ({ name: 'Next', from: '2027-02-01', to: '2027-02-07' }) }],
  updateTerm: [{ by: 'admin', path: '/api/admin/terms/TERM', body: () => ({ name: 'Same', ...week }) }],
  createSchoolDay: [{ by: 'admin', body: () => holiday }],
  updateSchoolDay: [{ by: 'admin', path: '/api/admin/school-days/SCHOOL_DAY', body: () => holiday }],
  createDaysOff: [{ by: 'user', body: () => week }],
  updateDaysOff: [
    {
      by: 'user',
      path: '/api/me/days-off/DAYS_OFF',
      body: async () => {
        await app.query('UPDATE days_off SET set_by = user_id'); // an administrator may have changed them
        return week;
      },
    },
  ],
  excuseUser: [{ by: 'admin', path: '/api/admin/users/USER/days-off', body: () => week }],
  updateDaysOffOfUser: [{ by: 'admin', path: '/api/admin/users/USER/days-off/DAYS_OFF', body: () => week }],
  saveStudentNote: [{ by: 'admin', path: '/api/admin/users/USER/note', body: () => ({ text: 'Calls after four.' }) }],
  createWebhook: [{ by: 'admin', body: () => ({ url: 'https://example.invalid/', events: ['goal.reached'] }) }],
  updateWebhook: [{ by: 'admin', path: '/api/admin/webhooks/WEBHOOK', body: () => ({ active: false }) }],
  changeContactRequests: [{ by: 'admin', body: () => ({ ids: [request], status: 'reviewed' }) }],
  createProject: [
    { by: 'user', body: () => ({ name: 'Mine' }) },
    { by: 'admin', body: () => ({ name: 'Ours', assigned_user_ids: [user.id] }) },
  ],
  updateProject: [
    { by: 'user', body: () => ({ name: 'Mine too' }) },
    { by: 'admin', body: () => ({ name: 'Ours too' }) },
  ],
  batchAssign: [{ by: 'admin', body: () => ({ project_ids: [project], assigned_user_ids: [user.id] }) }],
  createSession: [{ by: 'user', body: () => record }],
  updateSession: [
    { by: 'user', body: () => ({ note: 'Changed' }) },
    { by: 'admin', body: () => ({ note: 'Again' }) },
  ],
  renameTag: [
    {
      by: 'user',
      path: '/api/me/tags/exam',
      body: async () => {
        await app.query(`INSERT INTO tags (user_id, name) VALUES ($1, 'exam')`, [user.id]);
        return { name: 'test' };
      },
    },
  ],
  startTimer: [{ by: 'user', body: () => ({ project_id: project }) }],
  stopTimer: [{ by: 'user', body: () => ({ session_id: session }) }],
  advanceContactRequest: [{ by: 'admin', body: () => ({ status: 'reviewed' }) }],
  submitContactRequest: [
    {
      by: 'nobody',
      body: async () => {
        const { captcha_id, answer } = await getCaptcha(app);
        return contactFields({ captcha_id, captcha: answer });
      },
      status: 'resolved',
    },
  ],
};

const operations = (await readDocument()).filter(({ body }) => body !== undefined);

describe('fields that the caller must not set', () => {
  const cases = operations
    // They work only without an administrator, with a mail server, with a receiver, and with an identity provider.
    .filter(
      ({ isForm, id }) =>
        !isForm && !['setUp', 'sendMessage', 'saveChannel', 'testChannel'].includes(id) && !id.endsWith('SingleSignOn'),
    )
    .flatMap((operation) =>
      (attempts[operation.id] ?? [undefined]).map((one) => [operation.id, one?.by, operation, one] as const),
    );
  test.each(cases)('%s by %s: have no effect', async (operation, by, { method, path, body }, one) => {
    if (one === undefined) throw new Error(`${operation} has no valid body`);
    const id = path.startsWith('/api/sessions') ? session : path.startsWith('/api/projects') ? project : request;
    const where = (one.path ?? path)
      .replace('USER', String(user.id))
      .replace('GROUP', String(group))
      .replace('WEBHOOK', String(webhook))
      .replace('TERM', String(term))
      .replace('SCHOOL_DAY', String(schoolDay))
      .replace('DAYS_OFF', String(daysOff))
      .replace('{id}', String(id));
    const valid = await one.body();
    const own = Object.keys(body?.properties ?? {});
    const foreign = Object.entries(poison(one.status ?? 'paused')).filter(([name]) => !own.includes(name));
    const client = app.as(by === 'nobody' ? undefined : by === 'admin' ? admin : user);
    const verb = method.toLowerCase() as 'put' | 'post' | 'delete'; // no other takes a body
    const cookie = (await one.cookie?.()) ?? '';
    const response = await client[verb](where)
      .set('Cookie', cookie)
      .send({ ...Object.fromEntries(foreign), ...valid });
    expect(response.status, response.text).toBeLessThan(300);
    expect(response.text).not.toMatch(/87654321|poison|2001-02-03|87\.65/);
    expect(await poisoned()).toEqual([]);
    if (by === 'user' || /resetPassword|changePassword|acceptLink/.test(operation)) await signIn();
  });

  test('have no effect beside a file', async () => {
    const { status, ...fields } = poison('paused');
    const named = Object.entries(fields).slice(0, 9);
    const picture = app
      .as(user)
      .post(`/api/projects/${project}/image`)
      .attach('image', await onePixel(), 'poison.png');
    for (const [name, value] of [...named, ['status', status] as const]) picture.field(name, JSON.stringify(value));
    expect((await picture).status).toBeLessThan(300);
    expect(await poisoned()).toEqual([]);

    const csv =
      'id,project_name,started_at,ended_at,created_at,auto_stopped\n87654321,Mine too,2026-03-01T08:00:00Z,2026-03-01T09:00:00Z,2001-02-03T04:05:06Z,false\n';
    const records = app.as(user).post('/api/sessions/import').attach('file', Buffer.from(csv), 'poison.csv');
    for (const [name, value] of [...named, ['dry_run', 'false'] as const]) records.field(name, String(value));
    expect((await records).status).toBeLessThan(500);
    // Its report keeps the first row of the file.
    expect((await poisoned()).filter(({ name }) => name !== 'session_imports')).toEqual([]);
  });

  test('the search for such values finds a changed row', async () => {
    await app.query(`UPDATE users SET display_name = 'poison' WHERE id = $1`, [victim.id]);
    expect((await poisoned()).map(({ name }) => name)).toContain('users');
  });
});
