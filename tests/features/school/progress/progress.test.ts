import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assign, createProject } from '../../../support/records.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-03-20T12:00:00.000Z'));
let app: TestApp;
let admin: TestUser;
let [ann, bob, cid, off]: TestUser[] = [];
let [algebra, piano]: number[] = [];
let group: number;
beforeAll(async () => {
  app = await startTestApp({ clock, settings: { ACCESS_TOKEN_TTL: '86400' } });
  admin = await app.createUser({ role: 'admin' });
  ann = await app.createUser({ username: 'ann' });
  bob = await app.createUser({
    username: 'bob',
    timezone: 'Asia/Shanghai',
    display_name: 'Bob 鲍勃',
  });
  cid = await app.createUser({ username: 'cid' });
  off = await app.createUser({ username: 'off', status: 'inactive' });
  [algebra, piano] = [await createProject(app, admin, 'Algebra'), await createProject(app, admin, 'Piano')];
  await app.query(`UPDATE project_status_changes SET changed_at = '2026-01-01Z'`);
  for (const user of [ann, bob]) await assign(app, algebra ?? 0, user as TestUser);
  await assign(app, piano ?? 0, ann as TestUser);
  const body = { name: 'Class', user_ids: [bob?.id, cid?.id, off?.id] };
  group = (await app.as(admin).post('/api/admin/groups', body).expect(201)).body.data.id;
  // One hour on each of the last three days before today; three hours 10 days and 40 days ago.
  for (const [day, hours] of [
    ['19', 1],
    ['18', 1],
    ['17', 1],
    ['10', 3],
  ] as const)
    await study(ann, day, hours);
  await record(ann, '2026-02-08T08:00:00Z', 3);
  // In Shanghai from 23:30 of the 19th to 0:30 of the 20th.
  await record(bob, '2026-03-19T15:30:00Z', 1);
});
afterAll(() => app.stop());

async function record(user: TestUser | undefined, started_at: string, hours: number): Promise<number> {
  const body = { started_at, duration_seconds: hours * 3600 };
  return (await app.as(user).post(`/api/projects/${algebra}/sessions`, body).expect(201)).body.data.id;
}
const study = (user: TestUser | undefined, day: string, hours: number) =>
  record(user, `2026-03-${day}T08:00:00Z`, hours);
const progress = async (query = '') => (await app.as(admin).get(`/api/admin/progress?${query}`).expect(200)).body.data;
const names = async (query = '') => (await progress(query)).users.map(({ username }: { username: string }) => username);
/** The names in the CSV export, whose second column is the username. */
const exported = async (query: string) => {
  const { text } = await app.as(admin).get(`/api/admin/progress/export?${query}`).expect(200);
  const [, ...lines] = text.trim().split('\r\n');
  return lines.map((line) => line.split(',')[1]?.replaceAll('"', ''));
};

describe('the overview of users', () => {
  test('shows groups, assigned projects, hours, streak and latest record of each active ordinary user', async () => {
    const { users, pagination } = await progress();
    const groups = [{ id: group, name: 'Class' }];
    const goals = {
      ...{ not_started: 0, overdue: 0, behind: 0, slowing: 0, on_track: 0, ahead: 0, done: 0, near: 0, total: 0 },
    };
    const state = 'without_goals';
    expect(pagination).toEqual({ page: 1, limit: 10, total: 3, pages: 1 });
    expect(users).toEqual([
      {
        ...{ user_id: ann?.id, username: 'ann', display_name: 'ann', status: 'active', projects_assigned: 2 },
        ...{ hours_7d: 3, hours_28d: 6, total_hours: 9, current_streak: 3, last_session: '2026-03-19T09:00:00.000Z' },
        ...{ running_timer: null, groups: [], state, goals, weeks: [0, 3, 0, 0, 0, 0, 3, 3] },
        ...{
          last_week_so_far: 3,
          days: [0, 0, 0, 0, 1, 1, 1, 0],
          days_studied: [false, false, false, false, true, true, true, false],
          last_week_studied_by_now: false,
          excused_today: false,
          timezone: 'UTC',
          time_zone: 'UTC',
          day_start_hour: 0,
          project_hours: null,
        },
      },
      {
        ...{ user_id: bob?.id, username: 'bob', display_name: 'Bob 鲍勃', status: 'active', projects_assigned: 1 },
        ...{ hours_7d: 1, hours_28d: 1, total_hours: 1, current_streak: 2, last_session: '2026-03-19T16:30:00.000Z' },
        ...{ running_timer: null, groups, state, goals, weeks: [0, 0, 0, 0, 0, 0, 0, 1] },
        ...{
          last_week_so_far: 0,
          days: [0, 0, 0, 0, 0, 0, 0.5, 0.5],
          days_studied: [false, false, false, false, false, false, true, true],
          last_week_studied_by_now: false,
          excused_today: false,
          timezone: 'Asia/Shanghai',
          time_zone: 'Asia/Shanghai',
          day_start_hour: 0,
          project_hours: null,
        },
      },
      {
        ...{ user_id: cid?.id, username: 'cid', display_name: 'cid', status: 'active', projects_assigned: 0 },
        ...{ hours_7d: 0, hours_28d: 0, total_hours: 0, current_streak: 0, last_session: null, running_timer: null },
        ...{ groups, state, goals, weeks: Array(8).fill(0), last_week_so_far: 0, days: Array(8).fill(0) },
        ...{ days_studied: Array(8).fill(false), last_week_studied_by_now: false, excused_today: false },
        ...{ timezone: 'UTC', time_zone: 'UTC', day_start_hour: 0, project_hours: null },
      },
    ]);
  });

  test("says who is excused today, in the user's calendar", async () => {
    const path = `/api/admin/users/${bob?.id}/days-off`;
    const excused = async (from: string, to: string) => {
      const { id } = (await app.as(admin).post(path, { from, to }).expect(201)).body.data;
      const { users } = await progress('search=bob');
      await app.as(admin).delete(`${path}/${id}`).expect(200);
      return users[0].excused_today;
    };
    clock.set('2026-03-20T17:00:00Z'); // the 21st in Shanghai
    expect(await excused('2026-03-19', '2026-03-20')).toBe(false);
    expect(await excused('2026-03-21', '2026-03-22')).toBe(true);
    clock.set('2026-03-20T12:00:00.000Z');
  });

  test('shows the same streaks as the statistics of each user', async () => {
    for (const { user_id, current_streak, total_hours } of (await progress('status=all')).users) {
      const { body } = await app
        .as(admin)
        .get(`/api/stats?user_id=${user_id}&tz=${user_id === bob?.id ? 'Asia/Shanghai' : 'UTC'}`);
      expect({ current_streak, total_hours }).toEqual({
        current_streak: body.data.current_streak,
        total_hours: body.data.total_hours,
      });
    }
  });

  test('uses each user’s preferences for streaks, not the reader’s', async () => {
    const prefer = (preferences: object) => app.as(ann).put('/api/auth/me', preferences).expect(200);
    await app
      .as(admin)
      .put('/api/auth/me', { rest_weekdays: [1, 2, 3, 4, 5], day_start_hour: 6 })
      .expect(200);
    const streak = async () => (await progress('search=ann')).users[0].current_streak;
    const own = async () => (await app.as(ann).get('/api/stats').expect(200)).body.data.current_streak;
    const before = await streak();
    const id = await study(ann, '13', 1); // a Friday; the weekend and Monday 16th can be rest days
    for (const preferences of [{ rest_weekdays: [6, 7, 1] }, { day_start_hour: 6 }, { rest_weekdays: [] }]) {
      await prefer(preferences);
      expect([preferences, await streak()]).toEqual([preferences, await own()]);
    }
    await prefer({ rest_weekdays: [6, 7, 1], day_start_hour: 0 });
    expect(await streak()).toBeGreaterThan(before);
    await prefer({ rest_weekdays: [] });
    expect(await streak()).toBe(before);
    await app.as(ann).delete(`/api/sessions/${id}`).expect(200);
  });

  test('counts goals of a user that are behind or nearly reached, on each user’s current day', async () => {
    const created: number[] = [];
    const goal = async (name: string, fields: object, status: 'active' | 'paused' = 'active') => {
      const id = await createProject(app, admin, name, status, { target_hours: 10, target_scope: 'each', ...fields });
      await app.query(`UPDATE projects SET plan_started_at = '2026-03-01Z' WHERE id = $1`, [id]);
      await assign(app, id, bob as TestUser);
      await app.query(`UPDATE project_assignments SET assigned_at = '2026-03-01Z' WHERE project_id = $1`, [id]);
      created.push(id);
      return id;
    };
    const study = (seconds: number, ids: number[]) =>
      app.query(
        `INSERT INTO project_user_totals (user_id, project_id, seconds, sessions_count)
         SELECT $1, id, $2, 1 FROM unnest($3::bigint[]) AS p (id)
         ON CONFLICT (user_id, project_id) DO UPDATE SET seconds = excluded.seconds`,
        [(bob as TestUser).id, seconds, ids],
      );
    const counts = async (name = 'bob') => (await progress(`search=${name}`)).users[0].goals;
    await goal('Behind', { due_date: '2026-03-30' });
    await goal('Paused', { due_date: '2026-03-10' }, 'paused');
    await goal('Later', { due_date: null });
    const nearly = await goal('Nearly', { due_date: null });
    const over = await goal('Over', { due_date: '2026-03-20' });
    await study(28_800, [nearly, over]);
    const none = {
      ...{ not_started: 0, overdue: 0, behind: 0, slowing: 0, on_track: 0, ahead: 0, done: 0 },
      near: 0,
      total: 0,
    };
    expect(await counts()).toEqual({ ...none, behind: 2, near: 2, total: 2 });
    await study(28_700, [nearly]);
    expect(await counts()).toEqual({ ...none, behind: 2, near: 1, total: 2 });
    const own = await createProject(app, bob as TestUser, 'Own', 'active', { target_hours: 10 });
    await study(28_800, [own]);
    expect(await counts()).toEqual({ ...none, behind: 2, near: 2, total: 2 });
    await study(36_000, [own]);
    expect(await counts()).toEqual({ ...none, behind: 2, near: 1, done: 1, total: 3 });
    await app.query('DELETE FROM projects WHERE id = $1', [own]);
    await app.query(`UPDATE projects SET due_date = '2026-03-19' WHERE id = $1`, [over]);
    expect(await counts()).toMatchObject({ behind: 1, overdue: 1, total: 2 });
    expect((await progress('search=bob')).users[0].state).toBe('overdue');
    await study(36_000, [over]);
    expect(await counts()).toEqual({ ...none, behind: 1, done: 1, total: 2 });
    expect(await counts('ann')).toEqual(none);
    const { text } = await app.as(admin).get('/api/admin/progress/export?search=bob').expect(200);
    expect(text.split('\r\n')[0]).toContain('"groups","projects_assigned"');
    expect(text).toContain('"Class",6,1,1,1,2,1,0,');
    await app.query('DELETE FROM projects WHERE id = ANY ($1)', [created]);
  });

  test('shows a running timer, which counts when it is stopped', async () => {
    await app.as(ann).post('/api/timer/start', { project_id: algebra }).expect(201);
    const running = (await progress('search=ann')).users[0];
    expect(running.running_timer).toEqual({
      project_id: algebra,
      project_name: 'Algebra',
      started_at: '2026-03-20T12:00:00.000Z',
    });
    expect([running.total_hours, running.last_session]).toEqual([9, '2026-03-19T09:00:00.000Z']);
    clock.advance(1_800_000);
    await app.as(ann).post('/api/timer/stop').expect(200);
    const stopped = (await progress('search=ann')).users[0];
    expect(stopped).toMatchObject({ total_hours: 9.5, last_session: '2026-03-20T12:30:00.000Z', running_timer: null });
    expect(stopped.current_streak).toBe(4);
  });

  test('has the hours on the project of the filter', async () => {
    const hoursOf = async (query: string) =>
      (await progress(query)).users.map((user: { username: string; project_hours: number | null }) => [
        user.username,
        user.project_hours,
      ]);
    const expected = [
      ['ann', 9.5],
      ['bob', 1],
    ];
    expect(await hoursOf(`project_id=${algebra}`)).toEqual(expected);
    expect(await hoursOf(`sort=current_streak&order=desc&project_id=${algebra}`)).toEqual(expected);
    expect(await hoursOf('search=ann')).toEqual([['ann', null]]);
  });

  test.each([
    [`project_id=`, () => algebra, ['ann', 'bob']],
    [`group_id=`, () => group, ['bob', 'cid']],
    [`status=all&group_id=`, () => group, ['bob', 'cid', 'off']],
    [`status=inactive`, () => '', ['off']],
    [`search=`, () => encodeURIComponent('鲍'), ['bob']],
    [`inactive_days=1`, () => '', ['cid']],
    [`search=%25`, () => '', []],
    [`sort=total_hours&order=desc`, () => '', ['ann', 'bob', 'cid']],
    [`sort=last_session`, () => '', ['cid', 'bob', 'ann']],
    [`sort=last_session&order=desc`, () => '', ['ann', 'bob', 'cid']],
    [`sort=hours_7d&order=desc&project_id=`, () => algebra, ['ann', 'bob']],
    [`sort=hours_28d&group_id=`, () => group, ['cid', 'bob']],
    [`sort=username&order=desc&limit=1&page=2`, () => '', ['bob']],
    ['page=9', () => '', []],
    ['sort=display_name', () => '', ['ann', 'bob', 'cid']],
    ['status=all&sort=status&order=desc', () => '', ['off', 'cid', 'bob', 'ann']],
    ['sort=groups&project_id=', () => algebra, ['bob', 'ann']],
    ['sort=projects_assigned&group_id=', () => group, ['cid', 'bob']],
    ['sort=timer_started_at&project_id=', () => algebra, ['ann', 'bob']],
    ['sort=current_streak&order=desc&project_id=', () => algebra, ['ann', 'bob']],
    ['sort=goals_behind&group_id=', () => group, ['bob', 'cid']],
    ['sort=goals_near&order=desc&limit=1&page=2&group_id=', () => group, ['bob']],
    ['state=not_started', () => '', []],
    ['state=without_goals', () => '', ['ann', 'bob', 'cid']],
    ['state=silent', () => '', []],
    ['state=behind&group_id=', () => group, []],
    ['state=behind', () => '', []],
    ['state=studying', () => '', []],
    ['sort=hours_28d&order=desc', () => '', ['ann', 'bob', 'cid']],
    ['sort=this_week&order=desc', () => '', ['ann', 'bob', 'cid']],
    ['sort=urgency&order=desc&limit=1', () => '', ['cid']],
  ])('is filtered and sorted by %s', async (query, value, expected) => {
    expect(await names(`${query}${value()}`)).toEqual(expected);
    if (!/page|limit/.test(query)) expect(await exported(`${query}${value()}`)).toEqual(expected);
  });

  test('finds users who have been silent for a week, and those with a goal that is behind', async () => {
    const shift = (days: number) =>
      app.query(
        `UPDATE user_study_totals SET last_session_at = last_session_at + make_interval(days => $2) WHERE user_id = $1`,
        [bob?.id, days],
      );
    await shift(-7);
    const id = await createProject(app, admin, 'Due', 'active', {
      ...{ target_hours: 10, target_scope: 'each', due_date: '2026-03-30' },
    });
    await assign(app, id, cid as TestUser);
    expect(await names('state=not_started')).toEqual(['cid']);
    await app.query(`UPDATE project_assignments SET assigned_at = '2026-03-01Z' WHERE project_id = $1`, [id]);
    expect(await names('state=silent')).toEqual(['bob']);
    expect(await names('sort=urgency&order=desc&limit=1')).toEqual(['bob']);
    expect(await names(`state=behind&group_id=${group}`)).toEqual(['cid']);
    expect(await names('state=behind')).toEqual(['cid']);
    expect(await exported('state=behind')).toEqual(['cid']);
    expect(await exported('state=silent&sort=urgency&order=desc')).toEqual(['bob']);
    expect(await names(`state=behind&sort=hours_7d&project_id=${id}`)).toEqual(['cid']);
    expect(await names(`sort=goals_behind&order=desc&group_id=${group}`)).toEqual(['cid', 'bob']);
    const { pagination, counts } = await progress(`state=behind&group_id=${group}`);
    expect(pagination.total).toBe(1);
    const none = { overdue: 0, slowing: 0, not_started: 0, on_track: 0, without_goals: 0, studying: 0 };
    expect(counts).toEqual({ ...none, silent: 1, behind: 1 });
    await app.query('DELETE FROM projects WHERE id = $1', [id]);
    await shift(7);
  });

  test('filters inactive users relative to the current time', async () => {
    clock.set('2026-03-20T16:29:59.000Z');
    expect(await names('inactive_days=1')).toEqual(['cid']);
    clock.set('2026-03-20T16:30:01.000Z');
    expect(await names('inactive_days=1')).toEqual(['bob', 'cid']);
    clock.set('2026-03-20T13:00:00.000Z');
  });

  test.each(['state=gone', 'sort=email', 'inactive_days=0', 'inactive_days=3651', 'group_id=x', 'status=gone'])(
    'rejects %s',
    async (query) => {
      const response = await app.as(admin).get(`/api/admin/progress?${query}`).expect(400);
      expect(response.body.error.details).toMatchObject([{ field: query.split('=')[0] }]);
    },
  );

  test('is exported completely as CSV, and the export is audited', async () => {
    await app.query(
      `INSERT INTO users (username, email, display_name)
       SELECT 'Zed' || n, 'zed' || n || '@example.org', '=1+1' FROM generate_series(1, 250) n`,
    );
    const response = await app.as(admin).get(`/api/admin/progress/export?status=all`).expect(200);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = response.text.trim().split('\r\n');
    expect(lines).toHaveLength(1 + 4 + 250);
    expect(new Set(lines).size).toBe(lines.length);
    expect(response.text).toContain('鲍勃');
    expect(response.text).not.toContain('"=1+1"');
    const { entries } = (await app.as(admin).get('/api/admin/audit?limit=1').expect(200)).body.data;
    expect(entries).toMatchObject([{ action: 'exportProgress', target_type: 'export', after: { status: 'all' } }]);
    await app.query(`DELETE FROM users WHERE username LIKE 'Zed%'`);
  });
});

describe('the end of the latest record', () => {
  const latest = async () => (await progress('search=cid')).users[0].last_session;

  test('follows changes and deletions', async () => {
    await assign(app, algebra ?? 0, cid as TestUser);
    const [first, second] = [await study(cid, '01', 1), await study(cid, '05', 1)];
    expect(await latest()).toBe('2026-03-05T09:00:00.000Z');
    await study(cid, '03', 1);
    expect(await latest()).toBe('2026-03-05T09:00:00.000Z');
    const url = (id: number) => `/api/sessions/${id}`;
    await app
      .as(cid)
      .put(url(second), { started_at: '2026-03-02T08:00:00Z', ended_at: '2026-03-02T08:30:00Z' })
      .expect(200);
    expect(await latest()).toBe('2026-03-03T09:00:00.000Z');
    await app
      .as(cid)
      .put(url(first), { started_at: '2026-03-04T08:00:00Z', ended_at: '2026-03-04T08:30:00Z' })
      .expect(200);
    expect(await latest()).toBe('2026-03-04T08:30:00.000Z');
    await app.as(cid).delete(url(first)).expect(200);
    expect(await latest()).toBe('2026-03-03T09:00:00.000Z');
    await app.query('DELETE FROM study_sessions WHERE user_id = $1', [cid?.id ?? 0]);
    expect(await latest()).toBe(null);
  });

  test('is exact after concurrent insertions, changes and deletions', async () => {
    const other = await startTestApp({ clock, databaseUrl: app.databaseUrl });
    for (let round = 0; round < 3; round += 1) {
      const ids = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          record(cid, `2026-03-${String(index + 1).padStart(2, '0')}T08:00:00Z`, 1),
        ),
      );
      await Promise.all([
        ...ids
          .slice(2)
          .map((id, index) => (index % 2 === 0 ? app : other).as(cid).delete(`/api/sessions/${id}`).expect(200)),
        other.as(cid).put(`/api/sessions/${ids[1]}`, { ended_at: '2026-03-02T08:30:00Z' }).expect(200),
        record(cid, '2026-02-20T08:00:00Z', 1).then((id) => ids.push(id)),
      ]);
      expect(await latest()).toBe('2026-03-02T08:30:00.000Z');
      for (const id of [ids[0], ids[1], ids[8]]) await app.as(cid).delete(`/api/sessions/${id}`).expect(200);
      expect(await latest()).toBe(null);
    }
    await other.stop();
  });
});

test('with more users than can be computed at once, costly orders and states take a group', async () => {
  const many = await startTestApp({ clock });
  const boss = await many.createUser({ role: 'admin' });
  await many.query(
    `INSERT INTO users (username, email, display_name, password_hash)
     SELECT 'user' || n, 'user' || n || '@example.org', 'User ' || n, '-' FROM generate_series(1, 2001) AS n`,
  );
  const list = (query: string) => many.as(boss).get(`/api/admin/progress?limit=1&${query}`);
  for (const [query, field] of [
    ['sort=urgency', 'sort'],
    ['sort=hours_28d', 'sort'],
    ['state=behind', 'state'],
  ]) {
    const { body } = await list(query ?? '').expect(400);
    expect(body.error.details).toEqual([
      { field, message: 'requires group_id or project_id with more than 2000 users' },
    ]);
    await many.as(boss).get(`/api/admin/progress/export?${query}`).expect(400);
  }
  await list('sort=last_session&state=studying').expect(200);
  await list('sort=urgency&search=user2000').expect(200);
  await many.stop();
});
