import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assign, unassign } from '../../../support/records.ts';
import { type People, type StudyWorld, startStudyWorld } from '../statistics/study-world.ts';

let world: StudyWorld;
let people: People;
beforeAll(async () => {
  world = await startStudyWorld();
});
afterAll(() => world.app.stop());

// A Wednesday.
beforeEach(async () => {
  people = await world.at('2026-06-10T12:00:00Z');
});

const dashboardOf = async (user = people.ann) => (await world.app.as(user).get('/api/dashboard').expect(200)).body.data;
const statsOf = async (user = people.ann) => (await world.app.as(user).get('/api/stats').expect(200)).body.data;

test('is empty for a new user', async () => {
  expect(await dashboardOf()).toEqual({
    date: '2026-06-10',
    today_hours: 0,
    daily_goal_minutes: null,
    weekly_goal_minutes: null,
    week_hours: 0,
    current_streak: 0,
    studied_today: false,
    running_timer: null,
    continue: [],
    goals_at_risk: [],
  });
});

test('shows the same hours, streak and timer as the statistics', async () => {
  const id = await world.createProject(people.ann);
  await world.studyOn(id, people.ann, [
    '2026-05-20',
    '2026-05-21',
    '2026-06-06',
    '2026-06-07',
    '2026-06-08',
    '2026-06-09',
  ]);
  expect(await dashboardOf()).toMatchObject({ current_streak: 4, studied_today: false, week_hours: 2, today_hours: 0 });
  await world.record(id, people.ann, '2026-06-10T08:00:00Z', 30);
  await world.app.as(people.ann).put('/api/auth/me', { daily_goal_minutes: 45, weekly_goal_minutes: 300 }).expect(200);
  await world.startTimer(id, people.ann, '2026-06-10T11:30:00Z');
  const [shown, stats] = [await dashboardOf(), await statsOf()];
  expect(shown).toMatchObject({
    today_hours: 0.5,
    week_hours: 2.5,
    current_streak: 5,
    studied_today: true,
    daily_goal_minutes: 45,
    weekly_goal_minutes: 300,
  });
  expect(shown.running_timer).toEqual(stats.running_timer);
  expect(shown.running_timer).toMatchObject({ project_id: id, duration_seconds: 1800 });
  for (const figure of ['today_hours', 'week_hours', 'current_streak']) expect(shown[figure]).toBe(stats[figure]);
});

test('shows the same streak as the statistics in any time zone', async () => {
  const id = await world.createProject(people.ann);
  let random = 7;
  for (let ago = 120; ago >= 0; ago -= 1) {
    random = (random * 16_807) % 2_147_483_647;
    // Study on most days, with gaps of a day and one of three weeks.
    if (random % 10 < 2 || (ago > 60 && ago < 82)) continue;
    const day = new Date(Date.UTC(2026, 5, 10 - ago)).toISOString().slice(0, 10);
    await world.record(id, people.ann, `${day}T${random % 2 === 0 ? '09' : '23'}:10:00Z`, 90);
  }
  for (const zone of ['UTC', 'Asia/Shanghai', 'America/New_York', 'Pacific/Kiritimati']) {
    await world.app.query('UPDATE users SET timezone = $2 WHERE id = $1', [people.ann.id, zone]);
    const [shown, stats] = [await dashboardOf(), await statsOf()];
    for (const figure of ['today_hours', 'week_hours', 'current_streak'])
      expect([zone, figure, shown[figure]]).toEqual([zone, figure, stats[figure]]);
    expect(shown.date).toBe(stats.daily.at(-1).date);
  }
});

test('lists the active, visible projects that the user studied last', async () => {
  const ids: number[] = [];
  for (const [index, name] of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'].entries()) {
    const id = await world.createProject(people.bob, { name });
    await assign(world.app, id, people.ann);
    await world.record(id, people.ann, `2026-06-0${index + 1}T08:00:00Z`, 60);
    ids.push(id);
  }
  await world.record(ids[0] ?? 0, people.bob, '2026-06-10T08:00:00Z', 60);
  await world.changeStatus(ids[6] ?? 0, 'paused', '2026-06-09T00:00:00Z');
  await unassign(world.app, ids[5] ?? 0, people.ann);
  const shown = await dashboardOf();
  expect(shown.continue.map(({ project_id }: { project_id: number }) => project_id)).toEqual(
    [4, 3, 2, 1, 0].map((n) => ids[n]),
  );
  expect(shown.continue[0]).toEqual({
    project_id: ids[4],
    project_name: 'Five',
    own_hours: 1,
    own_last_session: '2026-06-05T09:00:00.000Z',
  });
});

test('lists own goals at risk, of owned projects and those for each user, by due date', async () => {
  async function createGoal(owner = people.ann, due = '2026-06-20', target = 20) {
    const id = await world.createProject(owner, { target });
    await world.app.query('UPDATE projects SET due_date = $2 WHERE id = $1', [id, due]);
    await world.app.query(`UPDATE projects SET plan_started_at = '2026-06-01' WHERE id = $1`, [id]);
    return id;
  }
  const behind = await createGoal();
  const overdue = await createGoal(people.bob, '2026-06-09', 5);
  await world.app.query(`UPDATE projects SET target_scope = 'each' WHERE id = $1`, [overdue]);
  await assign(world.app, overdue, people.ann);
  await assign(world.app, await createGoal(people.bob), people.ann); // shared: a goal of the group
  await createGoal(people.bob);
  const ahead = await createGoal();
  await world.record(ahead, people.ann, '2026-06-08T08:00:00Z', 900);
  const paused = await createGoal();
  await world.changeStatus(paused, 'paused', '2026-06-09T00:00:00Z');
  const trashed = await createGoal();
  await world.app.as(people.ann).delete(`/api/projects/${trashed}`).expect(200);

  expect((await dashboardOf()).goals_at_risk).toEqual([
    {
      project_id: overdue,
      project_name: 'Algebra',
      state: 'overdue',
      target_scope: 'each',
      due_date: '2026-06-09',
      days_left: 0,
      remaining_hours: 5,
      required_hours_per_day: 5,
    },
    {
      project_id: behind,
      project_name: 'Algebra',
      state: 'behind',
      target_scope: 'shared',
      due_date: '2026-06-20',
      days_left: 11,
      remaining_hours: 20,
      required_hours_per_day: 1.82,
    },
  ]);
});
