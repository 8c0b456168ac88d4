import { type RowOf, sql, t } from '../../../../db/sql/sql.ts';
import { many, one } from '../../../../db/statements.ts';
import { firstOfDaysOn, rangesOf } from '../../../study/calendar/day-kind-sql.ts';
import type { Day, DayRanges } from '../../../study/calendar/day-kinds.ts';
import { memberClock, memberDays, membersOf } from '../../../study/calendar/member-days-sql.ts';
import {
  type Calendar,
  calendarParameters,
  dayNumber,
  dayOf,
  hoursIn,
  todayOf,
} from '../../../study/calendar/study-days.ts';
import { dateOf } from '../../../study/calendar/study-figures.ts';
import { assignedAt, beganAt, joinGoal, judgeGoal, paceDays, targetSeconds } from '../../../study/goals/goal-sql.ts';
import { type GoalState, goalStates, longestPace } from '../../../study/goals/goal-states.ts';
import { colorOf, percentOf } from '../../../study/project-access/project-sql.ts';
import { projectStatuses, targetScopes } from '../../../study/project-access/project-values.ts';

export type Period = { from: Day; to: Day };

const member = {
  user_id: t.bigint,
  username: t.text,
  display_name: t.text,
  /** Days of the period with their seconds. */
  days: t.json<[day: Day, seconds: number][]>(),
  uncounted: t.integers,
  /** Within the period. */
  excused: t.json<DayRanges>(),
};
export type MemberRow = RowOf<typeof member>;

const dateParameter = (day: Day) => sql`${t.text(dateOf(day))}::date`;

// Sessions of the period in any time zone.
/** Active ordinary members by name, with the days of the period in the calendar of each. */
export const readMembers = many('read_days_of_members', member, (groupId: number, { from, to }: Period, now: Date) => {
  const [first, last] = [dateParameter(from), dateParameter(to)];
  return sql`
    WITH ${membersOf(t.bigint(groupId), t.timestamptz(now))},
    ${memberDays(sql`s.started_at > ${first}::timestamp AT TIME ZONE 'UTC' - interval '3 days'
      AND s.started_at < ${last}::timestamp AT TIME ZONE 'UTC' + interval '3 days'`)},
    studied AS (
      SELECT d.user_id, json_agg(json_build_array(${dayNumber(sql`d.day`)}, d.seconds)) AS days,
        array_agg(${dayNumber(sql`d.day`)}) FILTER (WHERE NOT d.is_counted) AS uncounted
      FROM (
        SELECT p.user_id, p.day, sum(p.seconds) AS seconds, bool_or(p.is_counted) FILTER (WHERE p.seconds > 0) AS is_counted
        FROM pieces p
        WHERE p.day BETWEEN ${first} AND ${last} GROUP BY p.user_id, p.day HAVING sum(p.seconds) > 0) AS d
      GROUP BY d.user_id)
    SELECT m.id AS user_id, m.username, m.display_name, coalesce(s.days, '[]') AS days,
      coalesce(s.uncounted, '{}') AS uncounted,
      ${rangesOf(sql`m.excused * datemultirange(daterange(${first}, ${last}, '[]'))`)} AS excused
    FROM members m LEFT JOIN studied s ON s.user_id = m.id ORDER BY lower(m.username)`;
});

const project = {
  project_id: t.bigint,
  project_name: t.text,
  color: t.integer,
  status: t.oneOf(projectStatuses),
  target_scope: t.oneOf(targetScopes),
  target_hours: t.numeric,
  weekly_goal_hours: t.numeric.orNull,
  due_date: t.date.orNull,
  began_on: t.date,
  state: t.oneOf(goalStates),
  projects_total: t.bigint,
  users_count: t.bigint,
  hours: t.numeric,
  progress: t.numeric.orNull,
  /** How many members are in each state, by their own goals. */
  states: t.json<Partial<Record<GoalState, number>>>(),
  /** The latest weeks with their seconds, the first of them 0. */
  weeks: t.json<[week: number, seconds: number][]>(),
};
export type ProjectRow = RowOf<typeof project>;

/** SQL: what the members `h` of a project `p` are to reach in all. */
const commonTarget = sql`(p.target_hours * CASE WHEN p.target_scope = 'each' THEN h.users_count ELSE 1 END)`;

// With the definitions of goals: `figures` are those of `joinGoal`, from one scan of the sessions of all members.
type Shown = { max: number; firstWeek: Day };
/** Projects assigned to members: active ones first, then by their number of members. */
export const readProjects = many(
  'read_projects_of_members',
  project,
  (groupId: number, shown: Shown, calendar: Calendar) => {
    const parameters = calendarParameters(calendar);
    const { now } = parameters;
    const first = dateParameter(shown.firstWeek); // earlier than what the pace is computed from
    const order = sql`ORDER BY status = 'active' DESC, users_count DESC, lower(name), id`;
    return sql`
    WITH ${membersOf(t.bigint(groupId), now)},
    today AS (${todayOf(parameters)}),
    assigned AS MATERIALIZED (
      SELECT a.project_id, a.user_id FROM members m JOIN project_assignments a ON a.user_id = m.id),
    shown AS MATERIALIZED (
      SELECT top.*, row_number() OVER (${order}) AS place
      FROM (
        SELECT p.id, p.name, p.status, c.users_count, count(*) OVER () AS projects_total,
          p.target_scope = 'each' AND p.due_date IS NOT NULL AND p.status = 'active' AS paced
        -- in id order, which is nearly that of the rows on disk
        FROM (SELECT a.project_id, count(*) AS users_count FROM assigned a GROUP BY a.project_id ORDER BY a.project_id) AS c
        CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = c.project_id AND p.deleted_at IS NULL OFFSET 0) AS p
        ${order} LIMIT ${t.bigint(shown.max)}) AS top),
    ${memberDays(sql`s.started_at > ${first}::timestamp AT TIME ZONE 'UTC' - interval '3 days'
      AND s.project_id IN (SELECT h.id FROM shown h)`)},
    weekly AS (
      SELECT w.project_id, json_agg(json_build_array(w.week, w.seconds)) AS weeks
      FROM (
        SELECT p.project_id, (p.day - ${first}) / 7 AS week, sum(p.seconds) AS seconds
        FROM pieces p JOIN assigned a ON a.project_id = p.project_id AND a.user_id = p.user_id
        WHERE p.day >= ${first} GROUP BY 1, 2) AS w
      GROUP BY w.project_id),
    recent AS (
      SELECT p.user_id, p.project_id, sum(p.seconds) AS seconds, min(p.day) AS first_day
      FROM pieces p JOIN members m ON m.id = p.user_id JOIN shown h ON h.id = p.project_id AND h.paced
      WHERE p.seconds > 0 AND p.day >= ${firstOfDaysOn(sql`m.off`, sql`m.today`, t.integer(longestPace))}
      GROUP BY p.user_id, p.project_id),
    pairs AS (
      SELECT p.id, coalesce(k.seconds, 0) AS seconds, goal.state,
        CASE WHEN p.target_scope = 'each' THEN least(coalesce(k.seconds, 0), p.target_hours * 3600) ELSE k.seconds END AS reached
      FROM assigned a JOIN shown h ON h.id = a.project_id JOIN projects p ON p.id = h.id JOIN members m ON m.id = a.user_id
      LEFT JOIN project_user_totals k ON k.project_id = a.project_id AND k.user_id = a.user_id
      LEFT JOIN recent r ON r.project_id = a.project_id AND r.user_id = a.user_id
      CROSS JOIN LATERAL (
        SELECT m.today, m.off, ${targetSeconds} AS target_seconds, coalesce(k.seconds, 0) AS current_seconds,
          coalesce(r.seconds, 0)::bigint AS pace_seconds,
          ${paceDays(sql`m.off`, sql`m.today`, sql`${memberClock(sql`p.plan_started_at`)}::date`, sql`r.first_day`)} AS pace_days,
          ${memberClock(beganAt(sql`m.id`))}::date AS began_on, ${memberClock(assignedAt(sql`m.id`))}::date AS assigned_on
        OFFSET 0) AS figures
      ${judgeGoal}),
    counted AS (
      SELECT c.id, ${hoursIn(sql`sum(c.seconds)`)} AS hours, sum(c.reached) AS reached,
        json_object_agg(c.state, c.number) AS states
      FROM (
        SELECT c.id, c.state, sum(c.seconds) AS seconds, sum(c.reached) AS reached, count(*) AS number FROM pairs c GROUP BY c.id, c.state) AS c
      GROUP BY c.id)
    SELECT p.id AS project_id, p.name AS project_name, ${colorOf} AS color, p.status, p.target_scope, p.target_hours,
      p.weekly_goal_hours, p.due_date,
      goal.began_on, goal.state, h.projects_total, h.users_count, c.hours,
      CASE WHEN p.target_hours > 0 THEN ${percentOf(sql`c.reached`, commonTarget)} END AS progress, c.states, coalesce(w.weeks, '[]') AS weeks
    FROM shown h JOIN counted c ON c.id = h.id JOIN projects p ON p.id = h.id LEFT JOIN weekly w ON w.project_id = h.id
    CROSS JOIN today
    ${joinGoal(null, parameters)} ORDER BY h.place`;
  },
);

/** The current day of the reader, and the ISO weekday on which their weeks begin. */
export const readWeek = one('read_week_start', { week_start: t.integer, today: t.integer }, (calendar: Calendar) => {
  const parameters = calendarParameters(calendar);
  return sql`
      SELECT u.week_start, ${dayNumber(dayOf(parameters.now, parameters))} AS today FROM users u
      WHERE u.id = ${parameters.user_id}`;
});
