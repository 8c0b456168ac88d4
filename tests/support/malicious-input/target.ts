import { expect } from 'vitest';
import { createEncryption } from '../../../src/lib/secrets/encryption.ts';
import { createAccount, signIn } from '../accounts.ts';
import { contactSettings, newAddress, submit } from '../contact.ts';
import { slowness, watchEventLoop } from '../processor-time.ts';
import { createProject } from '../records.ts';
import { codeAt, createAccountWithTotp } from '../second-factor.ts';
import { startTestApp, testSecret } from '../test-app.ts';
import { createClient } from './client.ts';
import type { Described, Parameter } from './document.ts';

export type Sent = { token?: string | null; headers?: Record<string, string>; body?: string | Buffer };
export type Reply = { status: number; text: string; authenticate: string | undefined };

/** No request may block the event loop for longer than 50 ms; five times that for slow machines. */
const longestBlock = 250 * slowness();

/** The application with one of each resource; the caller is an administrator. */
export async function startTarget() {
  const app = await startTestApp({ settings: contactSettings });
  const client = createClient(app.origin);
  const eventLoop = watchEventLoop();
  const [admin, user] = [await app.createUser({ role: 'admin' }), await app.createUser()];
  const project = await createProject(app, user);
  const record = { started_at: '2026-02-01T08:00:00Z', duration_seconds: 600 };
  const session = await app.as(user).post(`/api/projects/${project}/sessions`, record).expect(201);
  const group = await app.as(admin).post('/api/admin/groups', { name: 'Class 3b' }).expect(201);
  const hook = { url: 'https://example.invalid/', events: ['goal.reached'] };
  const webhook = await app.as(admin).post('/api/admin/webhooks', hook).expect(201);
  const week = { from: '2026-10-01', to: '2026-10-07' };
  const term = await app
    .as(admin)
    .post('/api/admin/terms', { name: 'Term', from: '2025-02-17', to: '2025-07-04' }) // not the days of the example
    .expect(201);
  const holiday = { name: 'Holidays', kind: 'off', ...week };
  const schoolDay = await app.as(admin).post('/api/admin/school-days', holiday).expect(201);
  await app.as(admin).post(`/api/admin/users/${user.id}/days-off`, week).expect(201); // has the id 1
  const daysOff = await app.as(admin).post('/api/me/days-off', week).expect(201);
  const calendar = await app.as(admin).post('/api/me/calendar').expect(200);
  const [roster] = await app.query<{ id: string }>(
    `INSERT INTO rosters (user_id, sign_in_id, request_id, dry_run, missing, invite, format, columns, state, rows, errors_count,
       errors, created_at, finished_at)
     SELECT s.user_id, s.id, 'test', true, 'keep', false, 'csv', '[]', 'done', 0, 0, '[]', now(), now()
     FROM sign_ins s WHERE s.user_id = $1 LIMIT 1 RETURNING id`,
    [admin.id],
  );
  const existing: Record<string, number> = {
    '/api/projects': project,
    '/api/sessions': session.body.data.id,
    '/api/admin/users': user.id,
    '/api/admin/contact-requests': (await submit(app)).body.requestId,
    '/api/admin/groups': group.body.data.id,
    '/api/admin/webhooks': webhook.body.data.id,
    '/api/admin/terms': term.body.data.id,
    '/api/admin/school-days': schoolDay.body.data.id,
    '/api/me/days-off': daysOff.body.data.id,
    '/api/reports/students': user.id,
    '/api/admin/roster': Number(roster?.id),
  };
  const values: Record<string, string> = {
    project_ids: '1,2',
    tz: 'Asia/Shanghai',
    token: new URL(calendar.body.data.secret_url).searchParams.get('token') ?? '',
    since: (await app.as(admin).get('/api/sync').expect(200)).body.data.next_cursor,
    user_id: String(user.id),
    current: 'false', // the sign-in that the other requests use stays
  };

  const unsubscribeToken = createEncryption([testSecret], 'unsubscribe').encrypt(`${user.id} week`);

  const now = new Date();
  const { username, password, secret, signedIn } = await createAccountWithTotp(app, now);
  const otp = codeAt(secret, now);
  const account = await createAccount(app);
  const beginner = await signIn(app, account);
  await app.as(beginner).post('/api/auth/totp', { current_password: account.password }).expect(200);
  /** Requests whose other fields must be right, or the field is not reached. */
  const bases: Record<string, { token: string; body: object }> = {
    login: { token: '', body: { username, password, otp } },
    browserSignIn: { token: '', body: { username, password, otp } },
    confirmTotp: { token: beginner.token, body: {} },
    disableTotp: { token: signedIn.token, body: { current_password: password, otp } },
    changePassword: { token: signedIn.token, body: { current_password: password, new_password: 'another good one' } },
  };

  async function sendOnce(method: string, path: string, { token = admin.token, headers, body }: Sent): Promise<Reply> {
    const { pathname, search } = new URL(path, app.origin); // what is not ASCII is encoded
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const response = await client.send({
      method,
      path: `${pathname}${search}`,
      headers: {
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        'X-Forwarded-For': newAddress(),
        ...(bytes !== undefined && { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) }),
        ...(path.startsWith('/api/auth/browser/') && { 'Sec-Fetch-Site': 'same-origin' }),
        ...headers,
      },
      body: bytes,
    });
    const { status, text } = response;
    expect(status, `${path.slice(0, 200)} ${body?.toString().slice(0, 200)}: ${text}`).toBeLessThan(500);
    expect(text.length).toBeLessThan(path === '/metrics' ? 2_000_000 : 300_000); // which grow with the operations that were called
    return { status, text, authenticate: response.headers['www-authenticate'] };
  }

  /** Fails if each of three attempts blocks the event loop. */
  async function send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
    let blocked = 0;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      eventLoop.longest();
      const reply = await sendOnce(method, path, sent);
      blocked = eventLoop.longest();
      if (blocked < longestBlock) return reply;
    }
    throw new Error(`${method} ${path.slice(0, 100)} ${sent.body?.toString().slice(0, 100)} blocks for ${blocked} ms`);
  }

  return {
    app,
    admin,
    project,
    bases,
    send,
    /** Wrong passwords and codes of this test do not lock the account. */
    forgetFailures: () => app.query('DELETE FROM sign_in_failures'),
    /** Those of other tests overlap. */
    forgetTerms: () => app.query('DELETE FROM terms WHERE id <> $1', [term.body.data.id]),
    /** The path of an existing resource. */
    pathOf: ({ path }: Described) =>
      path
        .replace('{id}', String(existing[path.split('/{', 1)[0] ?? ''] ?? 0))
        .replace('{file}', 'first_record.svg')
        .replace(/\{\w+\}/g, '1'),
    /** A valid value of an operation's parameter. */
    validValue({ id }: Described, { name, schema }: Parameter): string {
      if (id === 'unsubscribe') return unsubscribeToken;
      const choice = schema.enum ?? schema.anyOf?.flatMap((part) => part.enum ?? []) ?? [];
      if (schema.format === 'date-time') return '2026-02-01T08:00:00Z';
      if ([schema, ...(schema.anyOf ?? [])].some(({ format }) => format === 'date')) return '2026-02-01';
      return values[name] ?? choice[0] ?? (schema.type === 'integer' ? '1' : 'a');
    },
    async stop(): Promise<void> {
      eventLoop.stop();
      client.close();
      await app.stop();
    },
  };
}
