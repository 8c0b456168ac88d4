import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assign } from '../../../support/records.ts';
import { type People, type StudyWorld, startStudyWorld } from '../statistics/study-world.ts';

let world: StudyWorld;
let people: People;
beforeAll(async () => {
  world = await startStudyWorld();
});
afterAll(() => world.app.stop());

// A Wednesday.
const noon = '2026-06-10T12:00:00Z';
beforeEach(async () => {
  people = await world.at(noon);
});

type Goal = { target?: number; due?: string | null; weekly?: number | null; from?: string; status?: string };
/** Creates a project of Ann with a plan. */
async function createGoal({ target = 0, due = null, weekly = null, from = '2026-06-01', status = 'active' }: Goal) {
  const id = await world.createProject(people.ann, { target });
  await world.app.query(
    `UPDATE projects SET due_date = $2, weekly_goal_hours = $3, created_at = $4, status = $5 WHERE id = $1`,
    [id, due, weekly, from, status],
  );
  await world.app.query('UPDATE projects SET plan_started_at = $2 WHERE id = $1', [id, from]);
  return id;
}
const forecastOf = async (id: number) =>
  (await world.app.as(people.ann).get(`/api/projects/${id}/forecast`).expect(200)).body.data;

const nothing = {
  target_scope: 'shared',
  hours_of: 'caller',
  began_on: '2026-06-01',
  pace_hours_per_day: 0,
  pace_days: 10,
  remaining_hours: 0,
  even_pace_hours: null,
  behind_hours: 0,
  days_left: null,
  required_hours_per_day: 0,
  pace_7d: 0,
  pace_28d: 0,
  projected_completion: null,
  safe_days: null,
  today_required_hours: 0,
  today_reason: null,
};

test('without a target nothing is required', async () => {
  expect(await forecastOf(await createGoal({}))).toEqual({ ...nothing, state: 'no_target' });
});

test('an even pace counts from the creation, or from older study', async () => {
  const id = await createGoal({ target: 20, due: '2026-06-20' });
  await world.record(id, people.ann, '2026-06-03T08:00:00Z', 60);
  expect(await forecastOf(id)).toMatchObject({ began_on: '2026-06-01' });
  await world.record(id, people.ann, '2026-02-03T08:00:00Z', 60);
  expect(await forecastOf(id)).toMatchObject({ began_on: '2026-02-03' });
  await world.app.query(
    `UPDATE projects SET user_id = (SELECT id FROM users WHERE role = 'admin' LIMIT 1), target_scope = 'each' WHERE id = $1`,
    [id],
  );
  await assign(world.app, id, people.ann, people.bob);
  await world.record(id, people.bob, '2026-01-10T08:00:00Z', 60);
  expect(await forecastOf(id)).toMatchObject({ hours_of: 'caller', began_on: '2026-02-03' });
});

test.each([
  ['exactly a tenth of the days left', 28, 'ahead'],
  ['less', 29, 'on_track'],
])('a goal whose completion is earlier by %s', async (_, target, state) => {
  const id = await createGoal({ target, due: '2026-06-29' });
  await world.record(id, people.ann, '2026-06-05T08:00:00Z', 600); // an hour a day, and 20 days are left
  expect(await forecastOf(id)).toMatchObject({ state, days_left: 20, pace_hours_per_day: 1 });
});

test('computes each figure before a due date', async () => {
  // 20 hours from the 1st to the 20th: an hour per day, of which nine days have passed.
  const id = await createGoal({ target: 20, due: '2026-06-20' });
  await world.record(id, people.ann, '2026-06-02T08:00:00Z', 420);
  await world.record(id, people.ann, '2026-06-09T23:30:00Z', 60); // half of it on the 10th
  expect(await forecastOf(id)).toEqual({
    state: 'behind',
    target_scope: 'shared',
    hours_of: 'caller',
    began_on: '2026-06-01',
    remaining_hours: 12,
    even_pace_hours: 9.47,
    behind_hours: 1.47,
    days_left: 11,
    required_hours_per_day: 1.09,
    pace_hours_per_day: 0.8,
    pace_days: 10, // the plan began on the 1st
    pace_7d: 0.14,
    pace_28d: 0.29,
    projected_completion: '2026-06-24',
    safe_days: 0,
    today_required_hours: 0.64, // 12.5 / 11 minus the half hour
    today_reason: 'due_date',
  });
  await world.record(id, people.ann, '2026-06-10T08:00:00Z', 120); // 10 hours in 10 days, and 10 in 11
  expect(await forecastOf(id)).toMatchObject({
    ...{ state: 'on_track', safe_days: 1, behind_hours: 0, today_required_hours: 0, today_reason: 'due_date' },
  });
  await world.record(id, people.ann, '2026-06-10T10:00:00Z', 90);
  expect(await forecastOf(id)).toMatchObject({
    ...{ state: 'ahead', pace_hours_per_day: 1.15, projected_completion: '2026-06-17', safe_days: 3 },
  });
  await world.app.as(people.ann).put(`/api/projects/${id}`, { status: 'paused' }).expect(200);
  expect(await forecastOf(id)).toMatchObject({ state: 'paused', today_required_hours: 0, projected_completion: null });
  await world.app.as(people.ann).put(`/api/projects/${id}`, { status: 'completed' }).expect(200);
  expect(await forecastOf(id)).toMatchObject({
    ...nothing,
    even_pace_hours: 9.47,
    days_left: 11,
    pace_hours_per_day: 1.15,
    pace_7d: 0.64,
    pace_28d: 0.41,
    state: 'done',
  });
});

test('after the due date all remaining hours are required', async () => {
  const id = await createGoal({ target: 5, due: '2026-06-09' });
  expect(await forecastOf(id)).toEqual({
    ...nothing,
    state: 'overdue',
    remaining_hours: 5,
    even_pace_hours: 5,
    days_left: 0,
    required_hours_per_day: 5,
    safe_days: 0,
    today_required_hours: 5,
    today_reason: 'due_date',
  });
  await world.record(id, people.ann, '2026-06-10T06:00:00Z', 300);
  expect(await forecastOf(id)).toMatchObject({ state: 'done', remaining_hours: 0, today_required_hours: 0 });
});

test('a weekly goal is divided by the remaining days of the week', async () => {
  const id = await createGoal({ weekly: 7 });
  await world.record(id, people.ann, '2026-06-07T10:00:00Z', 120); // last week
  await world.record(id, people.ann, '2026-06-08T10:00:00Z', 120);
  // 5 hours on Wednesday to Sunday.
  expect(await forecastOf(id)).toMatchObject({
    required_hours_per_day: 1,
    today_required_hours: 1,
    today_reason: 'weekly_goal',
    state: 'no_target',
  });
  await world.record(id, people.ann, '2026-06-10T06:00:00Z', 45);
  expect(await forecastOf(id)).toMatchObject({ today_required_hours: 0.25 });
});

test('a share of some seconds is not done', async () => {
  const weekly = await createGoal({ weekly: 1 });
  await world.record(weekly, people.ann, '2026-06-08T10:00:00Z', 59.75); // 15 seconds for five days
  expect(await forecastOf(weekly)).toMatchObject({ today_required_hours: 0.01, today_reason: 'weekly_goal' });
  const due = await createGoal({ target: 1, due: '2026-06-20' });
  await world.record(due, people.ann, '2026-06-08T12:00:00Z', 59.75);
  expect(await forecastOf(due)).toMatchObject({
    ...{ remaining_hours: 0.01, required_hours_per_day: 0.01, today_required_hours: 0.01 },
  });
});

test('of a due date and a weekly goal the one that asks more of today counts', async () => {
  // 11 days for 22 hours, and 5 days for the hours of the week.
  for (const [weekly, hours, reason] of [
    [5, 2, 'due_date'],
    [15, 3, 'weekly_goal'],
  ] as const) {
    const id = await createGoal({ target: 22, due: '2026-06-20', weekly });
    expect(await forecastOf(id)).toMatchObject({ today_required_hours: hours, today_reason: reason });
  }
});

test('a goal that nobody has begun is behind from the eighth day after the assignment on', async () => {
  const assignedOn = async (day: string) => forecastOf(await createGoal({ target: 5, due: '2026-12-20', from: day }));
  expect(await assignedOn('2026-06-03')).toMatchObject({ state: 'not_started' });
  expect(await assignedOn('2026-06-02')).toMatchObject({ state: 'behind' });
});

test('days are in the caller’s time zone', async () => {
  const id = await createGoal({ target: 5, due: '2026-06-10' });
  expect(await forecastOf(id)).toMatchObject({ state: 'behind', days_left: 1 });
  await world.app.query(`UPDATE users SET timezone = 'Pacific/Kiritimati' WHERE id = $1`, [people.ann.id]);
  expect(await forecastOf(id)).toMatchObject({ state: 'overdue', days_left: 0 });
});

test('weeks begin on the weekday of the caller’s preferences', async () => {
  const id = await createGoal({ weekly: 7 });
  await world.record(id, people.ann, '2026-06-07T10:00:00Z', 120); // a Sunday
  await world.app.as(people.ann).put('/api/auth/me', { week_start: 7 }).expect(200);
  const { week_hours } = (await world.app.as(people.ann).get('/api/dashboard').expect(200)).body.data;
  expect(week_hours).toBe(2);
  // The other 5 hours on Wednesday to Saturday.
  expect(await forecastOf(id)).toMatchObject({ today_required_hours: 1.25 });
});

test('at less than the required pace the project is behind', async () => {
  const id = await createGoal({ target: 100, due: '2026-07-20', from: '2026-05-01' });
  for (let day = 14; day < 28; day += 1)
    await world.record(id, people.ann, new Date(Date.UTC(2026, 4, day, 8)).toISOString(), 76);
  const { state, required_hours_per_day, pace_hours_per_day, pace_days } = await forecastOf(id);
  expect({ state, required_hours_per_day, pace_hours_per_day, pace_days }).toEqual({
    ...{ state: 'behind', required_hours_per_day: 2.01, pace_hours_per_day: 0.63, pace_days: 28 },
  });
});

test('requires access to the project', async () => {
  const id = await createGoal({ target: 5 });
  const as = (user: keyof People) => world.app.as(people[user]).get(`/api/projects/${id}/forecast`);
  await as('bob').expect(403);
  await as('admin').expect(200);
  await assign(world.app, id, people.bob);
  await as('bob').expect(200);
  await world.app.as(people.ann).get('/api/projects/999999/forecast').expect(404);
});

test('lists can be filtered by state', async () => {
  const ids = {
    no_target: await createGoal({}),
    done: await createGoal({ target: 5, status: 'completed' }),
    ahead: await createGoal({ target: 20, due: '2026-06-20' }),
    not_started: await createGoal({ target: 5, weekly: 2, from: '2026-06-05' }),
    on_track: await createGoal({ target: 5, weekly: 2 }),
    slowing: await createGoal({ target: 20, due: '2026-06-20' }),
    behind: await createGoal({ target: 20, due: '2026-06-20' }),
    overdue: await createGoal({ target: 5, due: '2026-06-09' }),
    paused: await createGoal({ target: 5, status: 'paused' }),
  };
  await world.record(ids.ahead, people.ann, '2026-06-08T00:00:00Z', 900);
  await world.record(ids.on_track, people.ann, '2026-06-09T08:00:00Z', 60);
  await world.record(ids.slowing, people.ann, '2026-06-02T08:00:00Z', 540);
  const listed = async (user: keyof People, query: string) => {
    const { data } = (
      await world.app.as(people[user]).get(`/api/projects?creator=${people.ann.id}&${query}`).expect(200)
    ).body;
    expect(data.pagination.total).toBe(data.projects.length);
    return data.projects.map(({ id }: { id: number }) => id);
  };
  for (const [state, id] of Object.entries(ids)) {
    expect([state, await forecastOf(id)]).toEqual([state, expect.objectContaining({ state })]);
    for (const user of ['ann', 'admin'] as const)
      expect([state, await listed(user, `state=${state}`)]).toEqual([state, [id]]);
  }
  expect(await listed('admin', 'state=behind&search=algebra&status=active')).toEqual([ids.behind]);
  expect(await listed('ann', 'state=all&sort=due_date&order=asc')).toHaveLength(9);
  await world.app.as(people.ann).get('/api/projects?state=late').expect(400);
  // The state depends on the current day, therefore such a list changes without a write.
  const { admin } = await world.at('2026-06-20T12:00:00Z');
  people = { ...people, admin };
  expect(await listed('admin', 'state=ahead')).toEqual([]);
});
