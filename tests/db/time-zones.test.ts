import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTimeZones } from '../../src/db/time-zones.ts';
import { canonicalZone } from '../../src/lib/time-zone.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let ann: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin', timezone: 'Asia/Shanghai' });
  ann = await app.createUser();
});
afterAll(() => app.stop());

let number = 0;
const newAccount = (fields: object = {}) => {
  number += 1;
  return { username: `zone.${number}`, email: `zone.${number}@example.org`, ...fields };
};
const messageOf = ({ body }: { body: { error: { details: { field: string; message: string }[] } } }) =>
  body.error.details.map(({ field, message }) => `${field}: ${message}`).join();

describe('a time zone', () => {
  test('is stored by its canonical name', async () => {
    const own = await app.as(ann).put('/api/auth/me', { timezone: 'Asia/Calcutta' }).expect(200);
    expect(own.body.data).toMatchObject({ timezone: 'Asia/Kolkata', timezone_chosen: true });
    const created = await app
      .as(admin)
      .post('/api/admin/users', newAccount({ timezone: 'US/Pacific' }))
      .expect(201);
    const { id, timezone } = created.body.data;
    expect(timezone).toBe('America/Los_Angeles');
    const updated = await app.as(admin).put(`/api/admin/users/${id}`, { timezone: 'europe/kiev' }).expect(200);
    expect(updated.body.data.timezone).toBe('Europe/Kyiv');
  });

  test.each(['EST', 'CET', 'IST'])('is not accepted as the abbreviation %s; a name is suggested', async (name) => {
    const answers = [
      await app.as(ann).put('/api/auth/me', { timezone: name }).expect(400),
      await app.as(ann).get(`/api/stats?tz=${name}`).expect(400),
      await app
        .as(admin)
        .post('/api/admin/users', newAccount({ timezone: name }))
        .expect(400),
      await app
        .as(ann)
        .post('/api/sessions/import')
        .field('time_zone', name)
        .attach('file', Buffer.from('a,b'), 'a.csv'),
    ];
    for (const answer of answers)
      expect(messageOf(answer)).toMatch(new RegExp(`${name} means several time zones.*(America|Europe|Asia)/`));
  });

  test('of an import is that of the runtime also in cells', async () => {
    const csv = ['project_name,started_at,ended_at,time_zone', 'Algebra,2026-01-01T00:00:00Z,2026-01-01T01:00:00Z,IST'];
    const answer = await app
      .as(ann)
      .post('/api/sessions/import')
      .field('create_projects', 'true')
      .attach('file', Buffer.from(csv.join('\n')), 'a.csv')
      .expect(200);
    expect(answer.body.data.errors).toEqual([
      { row: 2, field: 'time_zone', message: expect.stringContaining('Asia/Kolkata') },
    ]);
  });

  test('of the runtime exists in the database with the same offset', async () => {
    const timeZones = createTimeZones(app.database);
    const zones = Intl.supportedValuesOf('timeZone').map((name) => canonicalZone(name) ?? '');
    for (const zone of zones) expect([zone, await timeZones.knows(zone)]).toEqual([zone, true]);
    const local = await app.query<{ zone: string; time: string }>(
      `SELECT zone, to_char('2026-07-01T12:00Z'::timestamptz AT TIME ZONE zone, 'HH24:MI') AS time
       FROM unnest($1::text[]) AS z (zone)`,
      [zones],
    );
    const expected = zones.map((zone) => {
      const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
      return { zone, time: format.format(new Date('2026-07-01T12:00Z')) };
    });
    expect(local).toEqual(expected);
  });

  test('that the database does not know is rejected', async () => {
    const timeZones = createTimeZones(app.database);
    expect(await timeZones.knows('Asia/Atlantis')).toBe(false);
    await expect(timeZones.require('Asia/Atlantis', 'tz')).rejects.toMatchObject({ details: [{ field: 'tz' }] });
  });
});

test('accounts have the time zone of the administrator until their owner has chosen one', async () => {
  const first = newAccount();
  const { body } = await app.as(admin).post('/api/admin/users', first).expect(201);
  expect(body.data).toMatchObject({ timezone: 'Asia/Shanghai' });
  const users = [newAccount(), newAccount({ timezone: 'Europe/Paris' })];
  await app.as(admin).post('/api/admin/users/bulk', { users }).expect(200);
  const rows = await app.query(
    'SELECT username, timezone, timezone_chosen FROM users WHERE username = ANY ($1) ORDER BY id',
    [[first.username, ...users.map(({ username }) => username)]],
  );
  expect(rows).toEqual([
    { username: first.username, timezone: 'Asia/Shanghai', timezone_chosen: false },
    { username: users[0]?.username, timezone: 'Asia/Shanghai', timezone_chosen: false },
    { username: users[1]?.username, timezone: 'Europe/Paris', timezone_chosen: true },
  ]);
});

describe('the rules of time zones', () => {
  test('are those of the database, at any time in any zone', async () => {
    const timeZones = createTimeZones(app.database);
    const names = await app.query<{ name: string }>(
      "SELECT name FROM pg_timezone_names WHERE name LIKE '%/%' AND name !~ '^(posix|right|Etc)/' ORDER BY md5(name) LIMIT 9",
    );
    for (const { name } of [
      ...names,
      { name: 'America/St_Johns' },
      { name: 'Pacific/Apia' },
      { name: 'America/Vancouver' },
    ]) {
      const { offsetAt } = await timeZones.rulesOf(name);
      // Within every day of all years, and each minute around the changes of a clock at 0:01.
      const rows = await app.query<{ at: string; seconds: number }>(
        `SELECT extract(epoch FROM m)::bigint::text AS at,
           extract(epoch FROM m AT TIME ZONE $1 - m AT TIME ZONE 'UTC')::integer AS seconds
         FROM (
           SELECT generate_series(timestamptz '2000-01-01Z', timestamptz '2099-12-31Z', interval '101 hours 7 minutes') AS m
           UNION ALL SELECT generate_series(timestamptz '2010-11-07Z', timestamptz '2010-11-08Z', interval '1 minute')) AS m`,
        [name],
      );
      const differing = rows.filter(({ at, seconds }) => offsetAt(Number(at) * 1000) !== seconds * 1000);
      expect([name, differing]).toEqual([name, []]);
    }
  });

  test('read, statistics and files show the same local time, also where those of the runtime are older', async () => {
    const clock = createTestClock(new Date('2026-12-01T12:00:00Z'));
    const other = await startTestApp({ clock, databaseUrl: app.databaseUrl });
    for (const timezone of ['America/Vancouver', 'Europe/Chisinau', 'Asia/Shanghai']) {
      const user = await other.createUser({ timezone });
      const csv =
        'project,start,end\nAlgebra,2026-11-20 09:00,2026-11-20 10:00\nAlgebra,2026-03-29 23:10,2026-03-29 23:40';
      await other
        .as(user)
        .post('/api/sessions/import')
        .field('dry_run', 'false')
        .field('create_projects', 'true')
        .attach('file', Buffer.from(csv), 'a.csv')
        .expect(200);
      const { body } = await other.as(user).get('/api/stats?from=2026-11-20&to=2026-11-20').expect(200);
      expect(body.data.by_hour).toEqual([{ weekday: 5, hour: 9, hours: 1 }]);
      const { text } = await other.as(user).get('/api/sessions/export?format=csv&layout=spreadsheet').expect(200);
      expect(text).toContain('"2026-11-20","09:00:00","10:00:00",1');
      expect(text).toContain('"2026-03-29","23:10:00","23:40:00",0.5');
    }
    await other.stop();
  });
});
