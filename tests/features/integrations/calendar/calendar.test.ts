import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, signIn } from '../../../support/accounts.ts';
import { slowness, watchEventLoop } from '../../../support/processor-time.ts';
import { addSession, createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-03-01T12:00:00.000Z'));
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app.stop());

/** Creates a calendar URL and returns its path and query. */
async function subscribe(user: TestUser): Promise<string> {
  const response = await app.as(user).post('/api/me/calendar').expect(200);
  expect(response.headers['cache-control']).toBe('no-store');
  const url = new URL(response.body.data.secret_url);
  return url.pathname + url.search;
}

/** The properties of each event according to RFC 5545, unfolded and unescaped. */
async function read(path: string) {
  const response = await app.anonymous.get(path).expect(200);
  expect(response.headers['content-type']).toBe('text/calendar; charset=utf-8');
  const text = response.text;
  expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const lines = text.replaceAll('\r\n ', '').split('\r\n');
  expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR', '']);
  const events: Record<string, string>[] = [];
  for (const line of lines) {
    if (line === 'BEGIN:VEVENT') events.push({});
    const [, name, value] = /^([^:]+):(.*)$/.exec(line) ?? [];
    const event = events.at(-1);
    if (event !== undefined && name !== undefined && value !== undefined)
      event[name] = value.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
  }
  return events;
}

test('contains the user’s records of a year and the due dates of their projects, in their language', async () => {
  const [user, other] = [await app.createUser(), await app.createUser()];
  const name = `长项目; 名称, ${'代数'.repeat(12)} \\ n`;
  const project_id = await createProject(app, user, name);
  await app.as(user).put(`/api/projects/${project_id}`, { due_date: '2026-03-31' }).expect(200);
  const foreign = await createProject(app, other, 'Foreign');
  await app.as(other).put(`/api/projects/${foreign}`, { due_date: '2026-03-30' }).expect(200);
  const add = (user_id: number, started_at: string, ended_at: string) =>
    addSession(app, { project_id, user_id, started_at, ended_at });
  const id = await add(user.id, '2026-02-01T08:00:00Z', '2026-02-01T09:30:00Z');
  await app.query('UPDATE study_sessions SET note = $2 WHERE id = $1', [id, 'first;\nsecond, with a \\']);
  await add(user.id, '2024-02-01T08:00:00Z', '2024-02-01T09:30:00Z');
  await app.as(user).put('/api/auth/me', { locale: 'zh' }).expect(200);

  const [due, record, ...more] = await read(await subscribe(user));
  const [{ calendar_uid } = {}] = await app.query<{ calendar_uid: string }>(
    'SELECT calendar_uid FROM users WHERE id = $1',
    [user.id],
  );
  expect(more).toEqual([]);
  expect([record, due]).toMatchObject([
    {
      UID: `record-${id}@${calendar_uid}`,
      DTSTART: '20260201T080000Z',
      DTEND: '20260201T093000Z',
      SUMMARY: name,
      DESCRIPTION: 'first;\nsecond, with a \\',
    },
    {
      UID: `due-${project_id}@${calendar_uid}`,
      'DTSTART;VALUE=DATE': '20260331',
      'DTEND;VALUE=DATE': '20260401',
      SUMMARY: `截止：${name}`,
    },
  ]);
});

test('has one URL, whose token is not an access token, and shows when it was last read', async () => {
  const user = await app.createUser();
  const state = async () => (await app.as(user).get('/api/me/calendar').expect(200)).body.data;
  expect(await state()).toBeNull();
  const first = await subscribe(user);
  expect(await state()).toEqual({ created_at: clock().toISOString(), last_used_at: null });
  await read(first);
  expect(await state()).toMatchObject({ last_used_at: clock().toISOString() });
  const token = first.slice(-43);
  for (const bearer of [token, `studytrack_${token}`])
    await app
      .as({ ...user, token: bearer })
      .get('/api/projects')
      .expect(401);
  expect((await app.as(user).get('/api/me/tokens').expect(200)).body.data).toEqual([]);
  const stored = await app.query<{ found: string }>('SELECT p::text AS found FROM personal_tokens p');
  expect(stored.some(({ found }) => found.includes(token))).toBe(false);

  const second = await subscribe(user);
  await app.anonymous.get(first).expect(404);
  await read(second);
  await app.as(user).delete('/api/me/calendar').expect(200);
  await app.anonymous.get(second).expect(404);
  await app.as(user).delete('/api/me/calendar').expect(404);
  for (const none of ['', '?token=', '?token=short', `${second}&token=${token}`.replace('/api/calendar.ics', '')])
    await app.anonymous.get(`/api/calendar.ics${none}`).expect(400);
});

test('is revoked by a new password and by deactivation', async () => {
  const account = await createAccount(app);
  const user = await signIn(app, account);
  const first = await subscribe(user);
  const passwords = { current_password: account.password, new_password: 'another good one' };
  await app.as(user).put('/api/auth/password', passwords).expect(200);
  await app.anonymous.get(first).expect(404);
  const second = await subscribe(user);
  const admin = await app.createUser({ role: 'admin' });
  await app.as(admin).put(`/api/admin/users/${user.id}`, { status: 'inactive' }).expect(200);
  await app.anonymous.get(second).expect(404);
});

test('names the time zone, and how often it should be read', async () => {
  const user = await app.createUser({ timezone: 'Asia/Shanghai' });
  const { text } = await app.anonymous.get(await subscribe(user)).expect(200);
  expect(text).toContain('\r\nX-WR-TIMEZONE:Asia/Shanghai\r\n');
  expect(text).toContain('\r\nX-PUBLISHED-TTL:PT1H\r\n');
});

test('event identifiers differ between users, also of different installations', async () => {
  const uids = await app.query<{ calendar_uid: string }>('SELECT calendar_uid FROM users');
  expect(uids.length).toBeGreaterThan(3);
  expect(new Set(uids.map((row) => row.calendar_uid)).size).toBe(uids.length);
});

test('an address can be read twenty times a minute; other addresses are not affected', async () => {
  const [path, other] = [await subscribe(await app.createUser()), await subscribe(await app.createUser())];
  for (let count = 0; count < 20; count += 1) await app.anonymous.get(path).expect(200);
  const refused = await app.anonymous.get(path).expect(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  await app.anonymous.get(other).expect(200);
  clock.advance(60_000);
  await app.anonymous.get(path).expect(200);
});

test('ten addresses are created within a day', async () => {
  const user = await app.createUser();
  for (let count = 0; count < 10; count += 1) await subscribe(user);
  await app.as(user).post('/api/me/calendar').expect(409);
  await app.query("UPDATE sign_ins SET created_at = created_at - interval '1 day' WHERE user_id = $1", [user.id]);
  await subscribe(user);
});

test('the largest calendar is bounded, and does not block the event loop', async () => {
  const user = await app.createUser();
  const project = await createProject(app, user, ','.repeat(50));
  await app.query(
    `INSERT INTO study_sessions (project_id, owner_id, user_id, started_at, ended_at, note, source, time_zone, auto_stopped)
     SELECT $1, $2, $2, t, t + interval '30 minutes', repeat(',', 500), 'manual', 'UTC', false
     FROM generate_series(timestamptz '2026-01-01Z' - interval '1999 hours', '2026-01-01Z', '1 hour') t`,
    [project, user.id],
  );
  const path = await subscribe(user);
  await app.anonymous.get(path).expect(200);
  const longest = [];
  for (let count = 0; count < 3; count += 1) {
    const loop = watchEventLoop();
    const response = await fetch(app.origin + path);
    const bytes = (await response.arrayBuffer()).byteLength;
    longest.push(loop.longest());
    loop.stop();
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThan(1_501_000);
  }
  expect(Math.min(...longest)).toBeLessThan(50 * slowness());
});
