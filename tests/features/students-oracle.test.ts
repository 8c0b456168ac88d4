import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { achievementNames } from '../../src/features/study/achievements/achievement-catalogue.ts';
import { expectedAwards, reaches } from '../support/award-oracle.ts';
import { finishJob, runJob } from '../support/contact.ts';
import { downloadExport } from '../support/personal-export.ts';
import { assign, createProject } from '../support/records.ts';
import { startSmtpServer, type TestSmtpServer } from '../support/servers/smtp-server.ts';
import type { Stretch } from '../support/statistics-oracle.ts';
import { localDay, roundedHours, weekdayOf } from '../support/statistics-oracle.ts';
import {
  expectedAttention,
  expectedGoal,
  expectedPerson,
  expectedProject,
  meanProgress,
  type OracleProject,
  plus,
  targetAtPace,
} from '../support/student-oracle.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';
import { writeRecords } from './study/achievements/earnings.ts';

const clock = createTestClock();
let smtp: TestSmtpServer;
let app: TestApp;
beforeAll(async () => {
  smtp = await startSmtpServer();
  const SMTP_URL = `smtp://127.0.0.1:${smtp.port}`;
  app = await startTestApp({ clock, settings: { ACCESS_TOKEN_TTL: '86400', SMTP_URL } });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});

const minute = 60_000;
const dayLength = 1440 * minute;
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/Havana',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'Asia/Shanghai',
] as const;
const project = fc.record({
  isOwn: fc.boolean(),
  target: fc.constantFrom(0, 2, 10, 40),
  due: fc.option(fc.integer({ min: -3, max: 40 }), { freq: 3 }),
  weekly: fc.option(fc.constantFrom(1, 3.5), { freq: 2 }),
  created: fc.integer({ min: 0, max: 40 }),
  assigned: fc.integer({ min: 0, max: 20 }),
  // Before the records are written.
  changes: fc.array(
    fc.record({
      ago: fc.integer({ min: 0, max: 40 }),
      fields: fc.oneof(
        fc.record({ status: fc.constantFrom('active', 'active', 'paused', 'completed') }),
        fc.record({ due: fc.option(fc.integer({ min: -3, max: 40 }), { freq: 3 }) }),
        fc.record({ target: fc.constantFrom(0, 2, 10, 40) }),
        fc.record({ weekly: fc.option(fc.constantFrom(1, 3.5), { freq: 2 }) }),
      ),
    }),
    { maxLength: 5 },
  ),
  // After them: a target that may be reached already, or that is so many days' shares away from the even pace.
  afterwards: fc.constantFrom<number | 'lowered' | null>(null, 'lowered', -1.5, -0.5, -0.5, 0.5, 3),
  // When the other student got it, who has not started.
  shared: fc.constantFrom(0, 7, 8, 10),
  isTrashed: fc.constantFrom(false, false, false, true),
});
// Near midnights, and often within a minute; every one ends before the next begins.
const record = fc.record({
  on: fc.nat(9),
  gap: fc.oneof(
    ...[[0, 900] as const, [1200, 1500] as const, [2600, 2900] as const, [0, 6000] as const].map(([min, max]) =>
      fc.integer({ min, max }),
    ),
  ),
  seconds: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 60, max: 20_000 })),
});
const student = fc.record({
  zone: fc.constantFrom(...zones),
  dayStart: fc.constantFrom(0, 0, 3, 6),
  weekStart: fc.integer({ min: 1, max: 7 }),
  rest: fc.subarray([1, 6, 7]),
  excused: fc.uniqueArray(fc.integer({ min: -30, max: 10 }), { maxLength: 4 }),
  projects: fc.array(project, { minLength: 2, maxLength: 4 }),
  records: fc.array(record, { maxLength: 25 }),
});
type Given = typeof student extends fc.Arbitrary<infer Of> ? Of : never;
const world = fc.record({
  // Around the changes of the clocks in Berlin, Havana and Auckland.
  now: fc.integer({ min: Date.parse('2026-03-10Z') / minute, max: Date.parse('2026-04-20Z') / minute }),
  holidays: fc.uniqueArray(fc.integer({ min: -20, max: 20 }), { maxLength: 5 }),
  lessons: fc.uniqueArray(fc.integer({ min: -20, max: 10 }), { minLength: 2, maxLength: 8 }),
  students: fc.array(student, { minLength: 2, maxLength: 2 }),
});

const dateAt = (now: number, days: number) => plus(new Date(now).toISOString().slice(0, 10), days);
const read = async (user: TestUser, path: string) => (await app.as(user).get(path).expect(200)).body.data;

async function createStudent(admin: TestUser, now: number, given: Given, calendar: ReturnType<typeof daysFor>) {
  const { projects: givenProjects } = given;
  const user = await app.createUser();
  const { zone, dayStart, weekStart, rest } = given;
  const preferences = { timezone: zone, day_start_hour: dayStart, week_start: weekStart, rest_weekdays: rest };
  await app.as(user).put('/api/auth/me', preferences).expect(200);
  for (const days of given.excused) {
    const dates = { from: dateAt(now, days), to: dateAt(now, days), reason: 'ill' };
    await app.as(admin).post(`/api/admin/users/${user.id}/days-off`, dates).expect(201);
  }
  const projects: (OracleProject &
    Pick<Given['projects'][number], 'afterwards' | 'shared'> & { owner: TestUser; targets: number[] })[] = [];
  for (const given of givenProjects) {
    const owner = given.isOwn ? user : admin;
    const created = now - given.created * dayLength - 7 * minute;
    const assigned = given.isOwn ? null : now - Math.min(given.assigned, given.created) * dayLength - 5 * minute;
    const { target, weekly, afterwards, shared, isTrashed } = given;
    const of = { target, weekly, due: given.due === null ? null : dateAt(now, given.due), status: 'active' };
    const id = await createProject(app, owner, 'Algebra', 'active', {
      ...{ target_hours: target, due_date: of.due, weekly_goal_hours: weekly },
      ...(!given.isOwn && { target_scope: 'each' }),
    });
    const at = new Date(created).toISOString();
    await app.query('UPDATE projects SET created_at = $2, plan_started_at = $2 WHERE id = $1', [id, at]);
    if (assigned !== null) await assign(app, id, user);
    const project = {
      id,
      ...of,
      created,
      planned: created,
      assigned,
      isTrashed,
      owner,
      afterwards,
      shared,
      changes: [],
    };
    projects.push({
      ...project,
      ...(await change(project, given.changes, now)),
      ...{ targets: [], records: [], allRecords: [] },
    });
  }
  const records: (Stretch & { on: number })[] = [];
  let end = now;
  for (const { on, gap, seconds } of given.records) {
    const start = end - gap * minute - seconds * 1000;
    records.push({ on: projects[on % projects.length]?.id ?? 0, start, end: start + seconds * 1000 });
    end = start;
  }
  for (const { on, start, end } of records.toReversed())
    await writeRecords(app, [
      { user, on, start: new Date(start).toISOString(), minutes: (end - start) / minute, zone },
    ]);
  for (const project of projects) {
    project.records = records.filter(({ on }) => on === project.id);
    project.allRecords = project.records;
    project.targets.push(project.target);
    const { afterwards } = project;
    const target =
      typeof afterwards === 'number'
        ? targetAtPace(calendar, project, afterwards)
        : afterwards === 'lowered'
          ? 1
          : null;
    if (target !== null && target !== project.target) {
      const at = now - minute;
      await app.as(project.owner).put(`/api/projects/${project.id}`, { target_hours: target }).expect(200);
      Object.assign(project, { target, planned: at });
      project.targets.push(target);
    }
    const { id, planned, assigned } = project;
    const startedAt = new Date(planned).toISOString();
    await app.query('UPDATE projects SET plan_started_at = $2 WHERE id = $1', [id, startedAt]);
    if (assigned !== null)
      await app.query('UPDATE project_assignments SET assigned_at = $2 WHERE project_id = $1', [
        id,
        new Date(assigned).toISOString(),
      ]);
  }
  return { user, records, projects };
}

/** Changes status and goal of a project one after the other; a new plan begins with a target, a due date or when it is active again. */
async function change(
  project: Pick<OracleProject, 'id' | 'created' | 'status' | 'target' | 'due' | 'weekly'> & { owner: TestUser },
  given: Given['projects'][number]['changes'],
  now: number,
) {
  const { id, owner, created } = project;
  const plan = async () => {
    const [row] = await app.query<{ at: string }>('SELECT plan_started_at AS at FROM projects WHERE id = $1', [id]);
    return row?.at;
  };
  const result = {
    ...{ status: project.status, target: project.target, due: project.due, weekly: project.weekly },
    ...{ planned: created, changes: [] as OracleProject['changes'][number][] },
  };
  const changedAt: string[] = [];
  const inOrder = given.toSorted((a, b) => b.ago - a.ago).filter(({ ago }) => created < now - ago * dayLength);
  for (const [index, { ago, fields }] of inOrder.entries()) {
    // Never at midnight, and in the order in which they are made.
    const at = now - ago * dayLength - 3 * minute + 7123 + index;
    const before = await plan();
    const wanted = 'due' in fields ? { due: fields.due === null ? null : dateAt(now, fields.due) } : fields;
    const names = { due: 'due_date', target: 'target_hours', weekly: 'weekly_goal_hours', status: 'status' } as const;
    const [[name, value] = ['status', 'active'] as const] = Object.entries(wanted) as [keyof typeof names, unknown][];
    const isNew = result[name] !== value;
    await app
      .as(owner)
      .put(`/api/projects/${id}`, { [names[name]]: value })
      .expect(200);
    const restarts = isNew && (name === 'due' || name === 'target' || value === 'active');
    expect((await plan()) !== before).toBe(restarts);
    if (restarts) result.planned = at;
    if (isNew && name === 'status') {
      changedAt.push(new Date(at).toISOString());
      if ([result.status, value].includes('active')) result.changes.push({ at, active: value === 'active' });
    }
    Object.assign(result, wanted);
  }
  await app.query(
    `UPDATE project_status_changes c SET changed_at = n.at
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM project_status_changes WHERE project_id = $1) AS k
     JOIN unnest($2::timestamptz[]) WITH ORDINALITY AS n (at, number) ON n.number = k.number WHERE k.id = c.id`,
    [id, changedAt],
  );
  return result;
}
type Student = Awaited<ReturnType<typeof createStudent>>;

/** Assigns the projects of a student that each is to finish to another student, who has studied nothing on them. */
async function share({ projects }: Student, other: Student, now: number): Promise<void> {
  const shared = projects.filter(({ assigned }) => assigned !== null);
  const assignedAt = (days: number) => now - days * dayLength - 9 * minute;
  for (const { id, shared: days } of shared) {
    await assign(app, id, other.user);
    const at = new Date(assignedAt(days)).toISOString();
    await app.query('UPDATE project_assignments SET assigned_at = $3 WHERE project_id = $1 AND user_id = $2', [
      id,
      other.user.id,
      at,
    ]);
  }
  other.projects.unshift(...shared.map((each) => ({ ...each, assigned: assignedAt(each.shared), records: [] })));
}

/** Moves projects to the trash, in which nobody sees them; their records count as before. */
async function trash(admin: TestUser, students: readonly Student[]): Promise<void> {
  const trashed = students.flatMap(({ projects }) => projects.filter(({ isTrashed }) => isTrashed));
  for (const id of new Set(trashed.map((each) => each.id)))
    await app.as(admin).delete(`/api/projects/${id}`).expect(200);
}
const isShown = ({ isTrashed }: OracleProject) => !isTrashed;

/** What the days are for a student: excused before the entries of the school, of which a day of lessons wins. */
function daysFor(now: number, given: Given, { holidays, lessons }: { holidays: number[]; lessons: number[] }) {
  const [off, school] = [new Set<string>(), new Set<string>()];
  for (let days = -120; days <= 60; days += 1) {
    const day = dateAt(now, days);
    if (given.excused.includes(days)) off.add(day);
    else if (lessons.includes(days)) school.add(day);
    else if (holidays.includes(days)) off.add(day);
  }
  const { zone, dayStart, weekStart, rest } = given;
  return { zone, dayStart, weekStart, rest, now, off, lessons: school };
}

/** Compares what a student sees. */
async function compareOwn({ user, records, projects: all }: Student, of: ReturnType<typeof daysFor>) {
  const projects = all.filter(isShown);
  for (const { id } of all.filter((each) => !isShown(each))) await app.as(user).get(`/api/projects/${id}`).expect(404);
  const person = expectedPerson(of, records);
  const goals = projects.map((each) => ({ ...each, goal: expectedGoal(of, each) }));
  for (const { id, goal } of goals) {
    expect(await read(user, `/api/projects/${id}/forecast`)).toMatchObject({ hours_of: 'caller', ...goal.forecast });
    const found = await read(user, `/api/projects/${id}`);
    expect(found).toMatchObject({ own_hours: roundedHours(goal.current), own_progress: goal.own_progress });
    if (found.user_id !== user.id) continue;
    const expected = { user_id: user.id, progress: goal.target === 0 ? null : goal.own_progress };
    for (const member of await read(user, `/api/projects/${id}/members`)) expect(member).toMatchObject(expected);
  }
  for (const each of projects)
    expect(await read(user, `/api/projects/${each.id}/stats`)).toMatchObject(expectedProject(of, each));
  const listed: string[] = [];
  for (const state of [
    'no_target',
    'not_started',
    'done',
    'overdue',
    'paused',
    'behind',
    'slowing',
    'ahead',
    'on_track',
  ]) {
    const { projects: found, pagination } = await read(
      user,
      `/api/projects?state=${state}&limit=100&sort=id&order=asc`,
    );
    const expected = goals.filter(({ goal }) => goal.state === state).map(({ id }) => id);
    expect([state, found.map(({ id }: { id: number }) => id)]).toEqual([state, expected]);
    expect(pagination.total).toBe(expected.length);
    listed.push(...expected.map(String));
  }
  expect(listed).toHaveLength(projects.length);

  const { today, week } = person;
  const dashboard = await read(user, '/api/dashboard');
  const current_streak = person.streaks().current;
  const figures = { today_hours: person.hours(today), week_hours: person.hours(week, today), current_streak };
  expect(dashboard).toMatchObject({ date: today, studied_today: person.daysStudied[7], ...figures });
  const atRisk = goals
    .filter(({ status, goal }) => status === 'active' && ['overdue', 'behind', 'slowing'].includes(goal.state))
    .map(({ id, goal }) => [id, goal.state]);
  const shown: { project_id: number; state: string }[] = dashboard.goals_at_risk;
  expect(shown.map(({ project_id, state }) => [project_id, state]).toSorted()).toEqual(atRisk.toSorted());

  const [first, last] = [plus(today, -27), today];
  const stats = await read(
    user,
    `/api/stats?from=${first}&to=${last}&other_from=${plus(first, -7)}&other_to=${plus(last, -7)}`,
  );
  const longest_streak = person.streaks().longest;
  expect(stats).toMatchObject({
    ...{
      ...figures,
      longest_streak,
      total_hours: person.hours(first, last),
      study_days: person.studyDays(first, last),
    },
    daily: Array.from({ length: 28 }, (_, index) => ({
      date: plus(first, index),
      hours: person.hours(plus(first, index)),
    })),
    previous: { total_hours: person.soFar(plus(first, -7), plus(last, -7)) },
  });
  expect(await read(user, '/api/stats')).toMatchObject({ total_hours: person.total, ...figures });
  const report = await read(user, `/api/reports/students/${user.id}?from=${first}&to=${last}`);
  const ofReport = { total_hours: person.hours(first, last), study_days: person.studyDays(first, last) };
  expect(report).toMatchObject({ ...ofReport, previous_hours: person.hoursBefore(28) });
  const { text } = await app.as(user).get('/api/sessions/export?format=csv').expect(200);
  expect(text.trim().split('\r\n')).toHaveLength(records.length + 1);
  return { person, goals };
}

/** Earned names, with the times that are expected; any time where none is. */
function compareAwards(found: { id: number; earned_at: string | null }[], expected: Record<string, number | null>) {
  const earned = found.flatMap(({ id, earned_at }) =>
    earned_at === null ? [] : [[achievementNames[id - 1] ?? '?', Date.parse(earned_at)] as const],
  );
  expect(earned.map(([name]) => name).toSorted()).toEqual(Object.keys(expected).toSorted());
  const dated = earned.filter(([name]) => expected[name] !== null);
  expect(Object.fromEntries(dated)).toEqual(
    Object.fromEntries(Object.entries(expected).filter(([, at]) => at !== null)),
  );
}

/** Compares the awards of a student and of their projects. */
async function compareOwnAwards({ user, records, projects }: Student, of: ReturnType<typeof daysFor>) {
  const reached = projects.some(({ records: own, targets }) => reaches(own, targets));
  const expected = expectedAwards(of, records, { reached });
  const found = await read(user, '/api/achievements');
  compareAwards(found, expected);
  // Of a project that is shared the records are those of the student who reads it first.
  for (const each of projects.filter((one) => isShown(one) && one.records.length > 0)) {
    const { id, changes, allRecords, targets } = each;
    const { achievements } = await read(user, `/api/projects/${id}`);
    compareAwards(achievements, expectedAwards(of, allRecords, { changes, reached: reaches(allRecords, targets) }));
  }
  return found;
}

/** Compares the archive of all data of a student: awards, projects, and all records, also of projects in the trash. */
async function compareArchive(student: Student, of: ReturnType<typeof daysFor>) {
  const { user, records, projects } = student;
  await app.as(user).post('/api/me/export').expect(202);
  await finishJob(app, 'write personal exports');
  await runJob(app, 'send mails to account holders');
  const archive = await downloadExport(app, user);
  const contents = (name: string) => JSON.parse(archive.get(`${name}.json`)?.toString() ?? '');
  expect(contents('records')).toHaveLength(records.length);
  const awards = (await read(user, '/api/achievements')).filter(
    ({ earned_at }: { earned_at: string | null }) => earned_at !== null,
  );
  const named = (list: { name: string; earned_at: string }[]) => list.map((each) => [each.name, each.earned_at]);
  expect(named(contents('awards'))).toEqual(named(awards));
  const listed: { id: number; own_progress: number }[] = contents('projects');
  for (const each of projects.filter((one) => isShown(one) && one.assigned === null))
    expect(listed.find(({ id }) => id === each.id)).toMatchObject({
      ...{ status: each.status, due_date: each.due, target_hours: each.target },
      own_progress: expectedGoal(of, each).own_progress,
    });
}

/** Compares what an administrator sees of a student. */
async function compareProgress(admin: TestUser, student: Student, of: ReturnType<typeof daysFor>) {
  const { user, records, projects } = student;
  const person = expectedPerson(of, records);
  const active = projects
    .filter((each) => isShown(each) && each.status === 'active')
    .map((each) => expectedGoal(of, each).state);
  const state = expectedAttention(of, records, active);
  const count = (name: string) => active.filter((each) => each === name).length;
  const { users, counts } = await read(admin, `/api/admin/progress?search=${user.username}`);
  expect(users).toHaveLength(1);
  expect(users[0]).toMatchObject({
    ...{ state, current_streak: person.streaks().current, total_hours: person.total, weeks: person.weeks },
    ...{ days: person.days, days_studied: person.daysStudied },
    ...{ last_week_so_far: person.lastWeekSoFar, last_week_studied_by_now: person.studiedByThen },
    goals: {
      ...{ not_started: count('not_started'), overdue: count('overdue'), behind: count('behind') },
      ...{ slowing: count('slowing'), on_track: count('on_track'), ahead: count('ahead'), done: count('done') },
      total: active.length - count('no_target'),
    },
  });
  const number = (name: string) => Number(name === state);
  const names = ['silent', 'overdue', 'behind', 'slowing', 'not_started', 'on_track', 'without_goals'];
  expect(counts).toMatchObject(Object.fromEntries(names.map((name) => [name, number(name)])));
  for (const name of names) {
    const found = await read(admin, `/api/admin/progress?search=${user.username}&state=${name}`);
    expect(found.pagination.total).toBe(number(name));
  }
  return person;
}

/** Compares the class: its grid of days, its projects by state, and its comparison with the days a week before. */
async function compareClass(
  admin: TestUser,
  now: number,
  students: readonly { student: Student; of: ReturnType<typeof daysFor> }[],
) {
  const user_ids = students.map(({ student }) => student.user.id);
  const body = { name: `Class ${user_ids.join(' ')}`, user_ids };
  const group = (await app.as(admin).post('/api/admin/groups', body).expect(201)).body.data.id;
  const [from, to] = [dateAt(now, -20), dateAt(now, 2)];
  const statistics = await read(admin, `/api/admin/groups/${group}/statistics?from=${from}&to=${to}`);
  const others = `other_from=${plus(from, -7)}&other_to=${plus(to, -7)}`;
  const comparison = await read(admin, `/api/admin/groups/${group}/comparison?from=${from}&to=${to}&${others}`);
  for (const { student, of } of students) {
    const person = expectedPerson(of, student.records);
    const { id } = student.user;
    const found = statistics.members.find(({ user_id }: { user_id: number }) => user_id === id);
    const days = Array.from({ length: 23 }, (_, index) => person.hours(plus(from, index)));
    expect(found).toMatchObject({
      total_hours: person.hours(from, to),
      study_days: person.studyDays(from, to),
      daily: days,
    });
    const compared = comparison.members.find(({ user_id }: { user_id: number }) => user_id === id);
    const other_hours = person.soFar(plus(from, -7), plus(to, -7));
    expect(compared).toMatchObject({ hours: person.hours(from, to), other_hours });
    for (const { id: project } of student.projects.filter((each) => isShown(each) && each.assigned !== null)) {
      const goals = students.flatMap(({ student: { projects }, of: each }) =>
        projects.filter((one) => one.id === project).map((one) => expectedGoal(each, one)),
      );
      const states = goals.map((each) => each.state);
      const listed = statistics.projects.find(({ project_id }: { project_id: number }) => project_id === project);
      const number = (...names: string[]) => states.filter((state) => names.includes(state)).length;
      expect(listed).toMatchObject({
        ...{
          users_count: states.length,
          done: number('done'),
          on_track: number('on_track', 'ahead'),
          slowing: number('slowing'),
        },
        progress: meanProgress(goals),
        ...{ behind: number('behind'), overdue: number('overdue'), not_started: number('not_started') },
        without_goals: number('no_target', 'paused'),
      });
    }
  }
}

/** Compares the mail about the last week, on the first day of the next one. */
async function compareMail({ user, records }: Student, of: ReturnType<typeof daysFor>) {
  await app.query('UPDATE users SET weekly_mail = (id = $1)', [user.id]);
  let now = Date.parse(`${new Date(of.now).toISOString().slice(0, 10)}T23:00:00Z`);
  const hour = () =>
    Number(new Intl.DateTimeFormat('en', { timeZone: of.zone, hour: 'numeric', hourCycle: 'h23' }).format(now));
  while (weekdayOf(localDay(now, of)) !== of.weekStart || hour() < 12) now += 60 * minute;
  const { week, hours, studyDays } = expectedPerson({ ...of, now }, records);
  clock.set(new Date(now));
  smtp.mails.length = 0;
  await runJob(app, 'send reminders');
  await runJob(app, 'send mails to account holders');
  const first = plus(week, -7);
  const [ofWeek, before] = [hours(first, plus(first, 6)), hours(plus(first, -7), plus(first, -1))];
  const texts = smtp.mails.map(({ text }) => text);
  if (ofWeek === 0 && before === 0) return expect(texts).toEqual([]);
  expect(texts).toHaveLength(1);
  const sentence = `you studied ${ofWeek} h on ${studyDays(first, plus(first, 6))} of 7 days. The week before: ${before} h.`;
  expect(texts[0]?.replace(/\s+/g, ' ')).toContain(sentence);
}

test('lists, filters, counts, forecast, statistics, progress, class, report, mail and export agree with an independent computation', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ now: minutes, holidays, lessons, students: givens }) => {
      const now = minutes * minute;
      clock.set(new Date(now));
      const admin = await app.createUser({ role: 'admin' });
      await app.query('DELETE FROM school_days');
      for (const [kind, days] of [
        ['off', holidays],
        ['school_day', lessons],
      ] as const)
        for (const on of days.map((each) => dateAt(now, each)))
          await app.as(admin).post('/api/admin/school-days', { name: kind, from: on, to: on, kind }).expect(201);
      const students: { student: Student; of: ReturnType<typeof daysFor> }[] = [];
      for (const given of givens) {
        const of = daysFor(now, given, { holidays, lessons });
        students.push({ student: await createStudent(admin, now, given, of), of });
      }
      const [first, second] = students.map(({ student }) => student);
      if (first !== undefined && second !== undefined) await share(first, second, now);
      await trash(
        admin,
        students.map(({ student }) => student),
      );
      for (const { student, of } of students) {
        await compareOwn(student, of);
        await compareOwnAwards(student, of);
        await compareProgress(admin, student, of);
        await compareArchive(student, of);
      }
      await compareClass(admin, now, students);
      for (const { student, of } of students) await compareMail(student, of);
    }),
    { numRuns: 8, endOnFailure: true },
  );
}, 120_000);
