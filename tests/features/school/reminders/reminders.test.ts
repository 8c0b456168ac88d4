import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as reminders from '../../../../src/features/school/reminders/reminder-repository.ts';
import {
  createReminderService,
  type ReminderOptions,
} from '../../../../src/features/school/reminders/reminder-service.ts';
import { createAccount, signIn } from '../../../support/accounts.ts';
import { runJob } from '../../../support/contact.ts';
import { addSession } from '../../../support/records.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock();
let smtp: TestSmtpServer;
let app: TestApp;
beforeAll(async () => {
  smtp = await startSmtpServer();
  app = await startTestApp({ settings: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }, clock });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});
afterEach(async () => {
  smtp.mails.length = 0;
  await app.query('UPDATE users SET streak_reminder_hour = NULL, weekly_mail = false');
});

/** A user at a time of their zone, with study on these days. */
async function student(at: string, preferences: object, days: readonly string[] = []) {
  clock.set(at);
  const account = await createAccount(app, { display_name: 'Lin' });
  const user = await signIn(app, account);
  await app.as(user).put('/api/auth/me', preferences).expect(200);
  const { body } = await app.as(user).post('/api/projects', { name: 'Piano', target_hours: 10 }).expect(201);
  for (const started_at of days)
    await addSession(app, {
      ...{ project_id: body.data.id, user_id: user.id, started_at },
      ended_at: new Date(Date.parse(started_at) + 5_400_000).toISOString(),
    });
  return { user, project: body.data.id };
}
async function mailsAt(moment: string, from: TestApp = app) {
  clock.set(moment);
  smtp.mails.length = 0;
  await runJob(from, 'send reminders');
  await runJob(from, 'send mails to account holders');
  return smtp.mails.map(({ subject }) => subject);
}
const shanghai = { timezone: 'Asia/Shanghai', streak_reminder_hour: 19 };
// Wednesday, 4 February 2026, is the day of the mail; Shanghai is eight hours ahead.
const twoDays = ['2026-02-02T04:00:00Z', '2026-02-03T04:00:00Z'];

test('the kinds of a user are sent in one run, also where a page ends between them', async () => {
  const page = 200;
  await app.query(
    `INSERT INTO users (username, email, display_name, password_hash, streak_reminder_hour, weekly_mail)
     SELECT 'paged-' || n, 'paged-' || n || '@example.org', 'Lin', '', 19, n = $1 FROM generate_series(1, $1) n ORDER BY n`,
    [page],
  );
  clock.set('2026-02-09T20:00:00Z'); // a Monday
  await runJob(app, 'send reminders');
  const kinds = await app.query(
    "SELECT kind FROM reminders r JOIN users u ON u.id = r.user_id WHERE u.username = 'paged-' || $1 ORDER BY kind",
    [page],
  );
  expect(kinds).toEqual([{ kind: 'streak' }, { kind: 'week' }]);
});

test('a streak at risk: once a day, from the chosen hour of the reader, in their language, and not by default', async () => {
  await student('2026-02-04T00:00:00Z', {}, twoDays);
  const { user } = await student('2026-02-04T00:00:00Z', shanghai, twoDays);
  expect(await mailsAt('2026-02-04T10:59:00Z')).toEqual([]);
  expect(await mailsAt('2026-02-04T11:00:00Z')).toEqual(['Study today to keep your streak (2)']);
  const [mail] = smtp.mails;
  expect(mail?.recipients).toEqual([user.email]);
  expect(mail?.text).toMatch(/^Dear Lin,\n\nDays of study in a row: 2\. .*\n\nStart studying: http/);
  expect(mail?.html).toContain('<html lang="en">');
  const headers = new Map(mail?.headers.map(({ key, value }) => [key, value]));
  expect(headers.get('auto-submitted')).toBe('auto-generated');
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(await mailsAt('2026-02-04T15:59:00Z')).toEqual([]);

  // The streak has ended: no more mails. A new one, and Chinese.
  expect(await mailsAt('2026-02-05T11:00:00Z')).toEqual([]);
  await app.query("UPDATE users SET locale = 'zh' WHERE id = $1", [user.id]);
  const [{ id } = { id: 0 }] = await app.query<{ id: number }>('SELECT id FROM projects WHERE user_id = $1', [user.id]);
  await addSession(app, {
    ...{ project_id: id, user_id: user.id, started_at: '2026-02-05T04:00:00Z', ended_at: '2026-02-05T05:00:00Z' },
  });
  expect(await mailsAt('2026-02-06T11:00:00Z')).toEqual(['连续学习 1 天，今天还没有记录']);
});

test('a streak at risk names the shortest study that keeps it, and Chinese mails have Chinese punctuation', async () => {
  const { user } = await student('2026-02-04T00:00:00Z', shanghai, twoDays);
  await mailsAt('2026-02-04T11:00:00Z');
  expect(smtp.mails[0]?.text).toContain('one minute of study before the day ends keeps the streak.');
  await app.query("UPDATE users SET locale = 'zh' WHERE id = $1", [user.id]);
  await app.query('DELETE FROM reminders WHERE user_id = $1', [user.id]);
  await mailsAt('2026-02-04T11:05:00Z');
  const text = smtp.mails[0]?.text ?? '';
  expect(text).toContain('今天尚未计入。今天结束前学习满 1 分钟，即可保持连续记录。');
  expect(text).toMatch(/\n开始学习：http\S+\n/);
  expect(text).toMatch(/\n退订此类邮件：http\S+\n/);
});

test('one that a clock sent which was years ahead stops none of the right days', async () => {
  const { user } = await student('2026-02-04T00:00:00Z', shanghai, twoDays);
  await app.query("INSERT INTO reminders (user_id, kind, day) VALUES ($1, 'streak', '2030-02-04')", [user.id]);
  expect(await mailsAt('2026-02-04T11:00:00Z')).toEqual(['Study today to keep your streak (2)']);
  expect(await mailsAt('2026-02-04T11:30:00Z')).toEqual([]);
});

test('no mail on a day of rest, after study, or while a timer runs; days begin when the user says', async () => {
  const rest = { ...shanghai, rest_weekdays: [3] };
  await student('2026-02-04T00:00:00Z', rest, twoDays);
  await student('2026-02-04T00:00:00Z', shanghai, [...twoDays, '2026-02-04T01:00:00Z']);
  const { user, project } = await student('2026-02-04T00:00:00Z', shanghai, twoDays);
  await addSession(app, { project_id: project, user_id: user.id, started_at: '2026-02-04T10:00:00Z' });
  expect(await mailsAt('2026-02-04T11:00:00Z')).toEqual([]);

  // 1:00 is still the day that began at 3:00, and the streak of before the day of rest is at risk on the day after it.
  await app.query('UPDATE users SET streak_reminder_hour = NULL');
  await student('2026-02-04T00:00:00Z', { ...rest, day_start_hour: 3, streak_reminder_hour: 1 }, twoDays);
  expect(await mailsAt('2026-02-05T16:59:00Z')).toEqual([]);
  expect(await mailsAt('2026-02-05T17:00:00Z')).toEqual(['Study today to keep your streak (2)']);
});

test('of several processes one sends it, also when they run at the same time', async () => {
  for (let number = 0; number < 5; number += 1)
    await student('2026-02-04T00:00:00Z', shanghai, ['2026-02-03T04:00:00Z']);
  const settings = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` };
  const other = await startTestApp({ settings, clock, databaseUrl: app.databaseUrl });
  clock.set('2026-02-04T12:00:00Z');
  const all = [app, other, app, other];
  await Promise.all(all.map((from) => runJob(from, 'send reminders')));
  await Promise.all(all.map((from) => runJob(from, 'send mails to account holders')));
  await other.stop();
  expect(new Set(smtp.mails.map(({ recipients: [address] }) => address)).size).toBe(5);
  expect(smtp.mails).toHaveLength(5);
});

test('a mail that could not be sent on its day is not sent on the next', async () => {
  await student('2026-02-04T00:00:00Z', shanghai, twoDays);
  clock.set('2026-02-04T11:00:00Z');
  await runJob(app, 'send reminders');
  clock.set('2026-02-04T16:00:00Z');
  await runJob(app, 'send mails to account holders');
  expect(smtp.mails).toEqual([]);
  expect(await app.query("SELECT id FROM background_jobs WHERE kind = 'mail'")).toEqual([]);
});

test('the week of a student, on the first day of their week', async () => {
  const days = ['2026-01-28T08:00:00Z', '2026-02-02T08:00:00Z', '2026-02-03T08:00:00Z', '2026-02-08T08:00:00Z'];
  await student('2026-02-08T12:00:00Z', { weekly_mail: true }, days);
  await student('2026-02-08T12:00:00Z', { weekly_mail: true }); // nothing to say
  expect(await mailsAt('2026-02-09T07:59:00Z')).toEqual([]);
  expect(await mailsAt('2026-02-09T08:00:00Z')).toEqual(['Your week: 4.5 h of study']);
  expect(smtp.mails[0]?.text).toContain(
    'From 2026-02-02 to 2026-02-08 you studied 4.5 h on 3 of 7 days. The week before: 1.5 h.',
  );
  expect(await mailsAt('2026-02-10T09:00:00Z')).toEqual([]);
  expect(await mailsAt('2026-02-16T09:00:00Z')).toEqual(['Your week: 0 h of study']);
});

test('the classes of an administrator: silent, behind, and requests that wait', async () => {
  const { user: silent } = await student('2026-02-01T00:00:00Z', {}, ['2026-01-20T08:00:00Z']);
  const { user: busy, project } = await student('2026-02-01T00:00:00Z', {}, ['2026-02-08T08:00:00Z']);
  await app.query(
    "UPDATE projects SET target_hours = 500, due_date = '2026-02-20', plan_started_at = '2026-01-01' WHERE id = $1",
    [project],
  );
  clock.set('2026-02-08T12:00:00Z');
  const admin = await app.createUser({ role: 'admin' });
  expect(await mailsFor(admin, '2026-02-09T08:00:00Z')).toEqual([]); // nothing to say
  await app.query(
    `WITH class AS (INSERT INTO groups (name) VALUES ('Class <7A>') RETURNING id)
     INSERT INTO group_members (group_id, user_id) SELECT class.id, u.id FROM class, unnest($1::bigint[]) AS u (id)`,
    [[silent.id, busy.id]],
  );
  expect(await mailsFor(admin, '2026-02-16T08:00:00Z')).toEqual(['Classes: what needs attention this week']);
  expect(smtp.mails[0]?.text).toContain('- Class <7A>: 2 without study for a week, 0 with an overdue goal, 0 behind');
  expect(smtp.mails[0]?.html).toContain('<li>Class &lt;7A&gt;: 2 without');
});

test('the classes of an administrator who is limited to some: these alone, and no requests', async () => {
  const days = ['2026-01-20T08:00:00Z'];
  const { user: own } = await student('2026-02-01T00:00:00Z', {}, days);
  const { user: hidden } = await student('2026-02-01T00:00:00Z', {}, days);
  await app.query(
    `INSERT INTO contact_requests (name, email, subject, message, status, ip_address, user_agent, created_at, updated_at)
     VALUES ('Zhou', 'zhou@example.org', 'other', 'Hello, where is this?', 'pending', '192.0.2.1', 'test', '2026-02-01', '2026-02-01')`,
  );
  clock.set('2026-02-08T12:00:00Z');
  const head = await app.createUser({ role: 'admin' });
  const [teacher, idle] = [await app.createUser({ role: 'admin' }), await app.createUser({ role: 'admin' })];
  const create = async (name: string, id: number) =>
    (
      await app
        .as(head)
        .post('/api/admin/groups', { name, user_ids: [id] })
        .expect(201)
    ).body.data.id;
  const [group] = [await create('Own 8a', own.id), await create('Hidden 8b', hidden.id)];
  const limit = (user: TestUser, ids: number[]) =>
    app.as(head).put(`/api/admin/users/${user.id}`, { admin_scope: 'groups', admin_group_ids: ids }).expect(200);
  await limit(teacher, [group]);
  await limit(idle, []);
  await app.query('UPDATE users SET weekly_mail = true WHERE id = ANY($1)', [[head.id, teacher.id, idle.id]]);
  expect(await mailsAt('2026-02-09T08:00:00Z')).toHaveLength(2);
  const textOf = (user: TestUser) => smtp.mails.find(({ recipients }) => recipients[0] === user.email)?.text;
  expect(textOf(teacher)).toContain('- Own 8a: 1 without study for a week');
  expect(textOf(teacher)).not.toMatch(/Hidden 8b|request/);
  for (const text of ['Hidden 8b', 'request']) expect(textOf(head)).toContain(text);
  expect(textOf(idle)).toBeUndefined();
});

async function mailsFor(user: TestUser, moment: string) {
  await app.query('UPDATE users SET weekly_mail = true WHERE id = $1', [user.id]);
  return mailsAt(moment);
}

test('who is no longer an administrator when the mail is queued does not get the classes', async () => {
  const { user } = await student('2026-02-04T00:00:00Z', { weekly_mail: true });
  const due = { user_id: user.id, kind: 'week', via: 'mail', role: 'admin', day: 20_000 } as const; // as it was listed before
  expect(await reminders.claim(app.container.store, due)).toBeUndefined();
  expect(await reminders.claim(app.container.store, { ...due, role: 'user' })).toMatchObject({ display_name: 'Lin' });
});

test('classes that are taken away until the mail is sent are not in it', async () => {
  clock.set('2026-02-02T00:00:00Z');
  const [head, teacher, first] = [
    await app.createUser({ role: 'admin' }),
    await app.createUser({ role: 'admin' }),
    await app.createUser({ role: 'admin' }),
  ];
  const { user: silent } = await student('2026-02-02T00:00:00Z', {}, ['2026-01-20T00:00:00Z']);
  const create = async (name: string) =>
    (
      await app
        .as(head)
        .post('/api/admin/groups', { name, user_ids: [silent.id] })
        .expect(201)
    ).body.data.id as number;
  const [own, other] = [await create('Kept 9a'), await create('Taken 9b')];
  const scope = (user: TestUser, admin_group_ids: number[]) =>
    app.query(
      `WITH limited AS (UPDATE users SET admin_scope = 'groups' WHERE id = $1), gone AS (
         DELETE FROM admin_groups WHERE user_id = $1 AND group_id <> ALL($2))
       INSERT INTO admin_groups SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING`,
      [user.id, admin_group_ids],
    );
  const sentAfter = async (moment: string, change: () => Promise<unknown>) => {
    await scope(teacher, [own, other]);
    await app.query("UPDATE users SET weekly_mail = true, role = 'admin' WHERE id = ANY($1)", [[teacher.id, first.id]]);
    clock.set(moment);
    smtp.mails.length = 0;
    await runJob(app, 'send reminders');
    await change();
    await runJob(app, 'send mails to account holders');
    return smtp.mails.map(({ recipients }) => recipients[0]).toSorted();
  };
  const both = [teacher.email, first.email].toSorted();
  expect(await sentAfter('2026-02-09T08:00:00Z', async () => undefined)).toEqual(both);
  expect(await sentAfter('2026-02-16T08:00:00Z', () => scope(teacher, [own]))).toEqual([first.email]);
  expect(await sentAfter('2026-02-23T08:00:00Z', () => scope(first, [own, other]))).toEqual([teacher.email]);
  const setRole = (role: string) => app.query('UPDATE users SET role = $2 WHERE id = $1', [teacher.id, role]);
  await app.query("UPDATE users SET admin_scope = 'all' WHERE id = $1", [first.id]);
  expect(await sentAfter('2026-03-02T08:00:00Z', () => setRole('user'))).toEqual([first.email]);
});

test('one click unsubscribes from this kind, without a sign-in, and can be repeated', async () => {
  const { user } = await student('2026-02-04T00:00:00Z', { ...shanghai, weekly_mail: true }, twoDays);
  await mailsAt('2026-02-04T11:00:00Z');
  const header = smtp.mails[0]?.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  const [, link = ''] = /^<https?:\/\/[^/]+(\/api\/mail\/unsubscribe\?token=[\w-]+)>$/.exec(header) ?? [];
  for (const _time of ['first', 'again']) {
    const response = await fetch(app.origin + link, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect([response.status, await response.json()]).toMatchObject([200, { data: { kind: 'streak' } }]);
  }
  expect(await app.query('SELECT streak_reminder_hour, weekly_mail FROM users WHERE id = $1', [user.id])).toEqual([
    { streak_reminder_hour: null, weekly_mail: true },
  ]);
  expect(await mailsAt('2026-02-05T11:00:00Z')).toEqual([]);
  await app.anonymous.post(`${link.slice(0, -3)}xyz`).expect(400);
});

test('without a mail server there are none', async () => {
  await student('2026-02-04T00:00:00Z', shanghai, twoDays);
  const without = await startTestApp({ databaseUrl: app.databaseUrl, clock });
  clock.set('2026-02-04T11:00:00Z');
  await runJob(without, 'send reminders');
  await without.stop();
  expect(await mailsAt('2026-02-04T11:00:00Z')).toHaveLength(1); // it was not claimed either
});

test('a deleted account gets nothing', async () => {
  const { user } = await student('2026-02-04T00:00:00Z', shanghai, twoDays);
  const admin = await app.createUser({ role: 'admin' });
  await app.as(admin).delete(`/api/admin/users/${user.id}`).expect(200);
  expect(await mailsAt('2026-02-04T11:00:00Z')).toEqual([]);
});

test('a run sends a bounded number, and the next ones the rest', async () => {
  await app.query('DELETE FROM reminders');
  await app.query(
    `INSERT INTO users (username, email, display_name, password_hash, streak_reminder_hour)
     SELECT 'many-' || n, 'many-' || n || '@example.org', 'Lin', '', 19 FROM generate_series(1, 450) n`,
  );
  clock.set('2026-02-10T20:00:00Z');
  const { store } = app.container;
  const service = createReminderService({
    ...{ store, clock, secrets: ['a secret of sixteen characters or more'], ownUrl: 'http://localhost', locale: 'en' },
    mail: { enabled: true, enqueue: async () => undefined } as unknown as ReminderOptions['mail'],
    channels: { enqueue: async () => undefined } as unknown as ReminderOptions['channels'],
    readStates: async () => new Map(),
    maxPerRun: 200,
  });
  const numbers: number[] = [];
  for (let run = 1; run <= 4; run += 1) {
    await service.jobs[0]?.run();
    const [row] = await app.query<{ number: number }>('SELECT count(*)::integer AS number FROM reminders');
    numbers.push(row?.number ?? 0);
  }
  expect(numbers).toEqual([200, 400, 450, 450]);
});
