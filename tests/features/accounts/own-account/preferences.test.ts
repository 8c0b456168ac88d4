import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccount, signIn } from '../../../support/accounts.ts';
import { runJob } from '../../../support/contact.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let smtp: TestSmtpServer;
let app: TestApp;
let ann: TestUser;
beforeAll(async () => {
  smtp = await startSmtpServer();
  app = await startTestApp({ settings: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});
beforeEach(async () => {
  ann = await app.createUser();
});

const defaults = {
  timezone: 'UTC',
  timezone_chosen: false,
  locale: null,
  week_start: 1,
  day_start_hour: 0,
  rest_weekdays: [],
  daily_goal_minutes: null,
  weekly_goal_minutes: null,
  streak_reminder_hour: null,
  weekly_mail: false,
};
const chosen = {
  timezone: 'Asia/Shanghai',
  locale: 'zh',
  week_start: 7,
  day_start_hour: 3,
  rest_weekdays: [6, 7],
  daily_goal_minutes: 90,
  weekly_goal_minutes: 420,
  streak_reminder_hour: 19,
  weekly_mail: true,
};
const me = async (user = ann) => (await app.as(user).get('/api/auth/me').expect(200)).body.data;
const change = (body: object, user = ann) => app.as(user).put('/api/auth/me', body);

describe('preferences', () => {
  test('have defaults, and are returned with the user’s own account', async () => {
    expect(await me()).toMatchObject(defaults);
    const response = await change(chosen).expect(200);
    expect(response.body.data).toMatchObject({ ...chosen, timezone_chosen: true });
    expect(await me()).toEqual(response.body.data);

    const account = await createAccount(app);
    const user = await signIn(app, account);
    await change(chosen, user).expect(200);
    const login = { username: account.username, password: account.password };
    const signedIn = await app.anonymous.post('/api/auth/login', login).expect(200);
    expect(signedIn.body.data.user).toMatchObject({ ...chosen, timezone_chosen: true });
  });

  test('can be sent back as read; null clears optional ones', async () => {
    await change(chosen).expect(200);
    const before = await me();
    expect((await change(before).expect(200)).body.data).toEqual(before); // including updated_at
    await change({ locale: null, daily_goal_minutes: null, rest_weekdays: [] }).expect(200);
    expect(await me()).toMatchObject({ locale: null, daily_goal_minutes: null, rest_weekdays: [], week_start: 7 });
  });

  test('rest days are stored in order without duplicates', async () => {
    const response = await change({ rest_weekdays: [7, 5, 7, 6, 5] }).expect(200);
    expect(response.body.data.rest_weekdays).toEqual([5, 6, 7]);
  });

  test.each<[string, object, string]>([
    ['locale', { locale: 'fr' }, 'locale'],
    ['first weekday 0', { week_start: 0 }, 'week_start'],
    ['first weekday 8', { week_start: 8 }, 'week_start'],
    ['first weekday as text', { week_start: '1' }, 'week_start'],
    ['no first weekday', { week_start: null }, 'week_start'],
    ['hour 7', { day_start_hour: 7 }, 'day_start_hour'],
    ['hour -1', { day_start_hour: -1 }, 'day_start_hour'],
    ['half an hour', { day_start_hour: 2.5 }, 'day_start_hour'],
    ['rest day 8', { rest_weekdays: [1, 8] }, 'rest_weekdays[1]'],
    ['rest on all days', { rest_weekdays: [1, 2, 3, 4, 5, 6, 7] }, 'rest_weekdays'],
    ['too many rest days', { rest_weekdays: [1, 1, 1, 1, 1, 1, 1, 1] }, 'rest_weekdays'],
    ['no list of rest days', { rest_weekdays: null }, 'rest_weekdays'],
    ['a goal of no time', { daily_goal_minutes: 0 }, 'daily_goal_minutes'],
    ['a goal beyond a day', { daily_goal_minutes: 1441 }, 'daily_goal_minutes'],
    ['a goal beyond a week', { weekly_goal_minutes: 10_081 }, 'weekly_goal_minutes'],
    ['hour 24', { streak_reminder_hour: 24 }, 'streak_reminder_hour'],
    ['no choice of weekly mails', { weekly_mail: null }, 'weekly_mail'],
  ])('%s is rejected by name', async (_what, body, field) => {
    const response = await change(body).expect(400);
    expect(response.body.error.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
    expect(await me()).toMatchObject(defaults);
  });

  test('are also checked by database constraints', async () => {
    const set = (assignment: string) => app.query(`UPDATE users SET ${assignment} WHERE id = $1`, [ann.id]);
    for (const wrong of [
      `locale = 'fr'`,
      'week_start = 8',
      'day_start_hour = 7',
      `rest_weekdays = '{8}'`,
      `rest_weekdays = '{1,2,3,4,5,6,7}'`,
      `rest_weekdays = '{1,1,1,1,1,1,1,1}'`,
      'daily_goal_minutes = 0',
      'weekly_goal_minutes = 10081',
      'streak_reminder_hour = 24',
    ]) {
      await expect(set(wrong), wrong).rejects.toThrow('violates check constraint');
    }
  });

  test('two concurrent changes are both saved', async () => {
    for (let round = 1; round <= 5; round += 1) {
      await Promise.all([
        change({ day_start_hour: round }).expect(200),
        change({ daily_goal_minutes: round * 10 }).expect(200),
      ]);
      expect(await me()).toMatchObject({ day_start_hour: round, daily_goal_minutes: round * 10 });
    }
  });

  test('are visible to the user only, and deleted with the account', async () => {
    const admin = await app.createUser({ role: 'admin' });
    await change(chosen).expect(200);
    const seen = (await app.as(admin).get(`/api/admin/users/${ann.id}`).expect(200)).body.data;
    for (const name of ['locale', 'week_start', 'day_start_hour', 'rest_weekdays', 'daily_goal_minutes', 'weekly_mail'])
      expect(seen).not.toHaveProperty(name);
    await app.as(admin).put(`/api/admin/users/${ann.id}`, { day_start_hour: 5 }).expect(200);
    expect(await me()).toMatchObject(chosen);
    await app.as(admin).delete(`/api/admin/users/${ann.id}`).expect(200);
    const [row] = await app.query(
      `SELECT timezone, timezone_chosen, locale, week_start, day_start_hour, rest_weekdays, daily_goal_minutes,
         weekly_goal_minutes, streak_reminder_hour, weekly_mail
       FROM users WHERE id = $1`,
      [ann.id],
    );
    expect(row).toEqual(defaults);
  });
});

describe('the time zone', () => {
  test('is marked as chosen when the user sends it, even if unchanged', async () => {
    await change({ display_name: 'Ann' }).expect(200);
    expect((await me()).timezone_chosen).toBe(false);
    await change({ timezone: 'UTC' }).expect(200);
    expect(await me()).toMatchObject({ timezone: 'UTC', timezone_chosen: true });
  });

  test('is marked as chosen when an administrator changes it', async () => {
    const admin = await app.createUser({ role: 'admin' });
    const create = async (username: string, fields: object = {}) => {
      const body = { username, email: `${username}@example.org`, password: 'a good password', ...fields };
      return (await app.as(admin).post('/api/admin/users', body).expect(201)).body.data;
    };
    const isChosen = async ({ id }: { id: number }) =>
      (await app.query('SELECT timezone_chosen AS chosen FROM users WHERE id = $1', [id]))[0];
    expect(await isChosen(await create('zone.given', { timezone: 'Europe/Berlin' }))).toEqual({ chosen: true });
    const user = await create('zone.default');
    expect(user.timezone).toBe('UTC');
    expect(await isChosen(user)).toEqual({ chosen: false });
    await app.as(admin).put(`/api/admin/users/${user.id}`, { timezone: 'UTC', display_name: 'Bob' }).expect(200);
    expect(await isChosen(user)).toEqual({ chosen: false }); // the unchanged value sent back
    await app.as(admin).put(`/api/admin/users/${user.id}`, { timezone: 'Asia/Tokyo' }).expect(200);
    expect(await isChosen(user)).toEqual({ chosen: true });
  });
});

test('mails about the account are in the chosen language', async () => {
  const account = await createAccount(app);
  const user = await signIn(app, account);
  await change({ locale: 'zh' }, user).expect(200);
  const body = { current_password: account.password, new_password: 'quite another one' };
  await app.as(user).put('/api/auth/password', body).expect(200);
  await runJob(app, 'send mails to account holders');
  const [mail] = smtp.mails.filter(({ recipients }) => recipients.includes(account.email));
  expect(mail?.subject).toMatch(/[一-龥]/u);
});
