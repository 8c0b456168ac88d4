import { empty, type Interpolation, type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { firstOfDaysOn } from '../../study/calendar/day-kind-sql.ts';
import { type CalendarParameters, todayOf } from '../../study/calendar/study-days.ts';
import { joinGoal } from '../../study/goals/goal-sql.ts';

/** Every student is in exactly one of these: the first that applies. Paused goals do not count. */
export const attentionStates = [
  'silent',
  'overdue',
  'behind',
  'slowing',
  'not_started',
  'on_track',
  'without_goals',
] as const;
export type AttentionState = (typeof attentionStates)[number];

/** From when on a user who has studied before counts as silent. */
export const silentDays = 7;

/** SQL: the day of a user and their days off. */
type TodayOf = { day: Sql; off: Sql };
export const ofToday: TodayOf = { day: sql`today.day`, off: sql`today.off` };

/** SQL: the time so many days before, to which days off are added. */
export const daysOnAgo = (at: Interpolation, days: number, { day, off }: TodayOf): Sql => sql`
  ${at}::timestamptz - make_interval(hours => 24 * (${day} - ${firstOfDaysOn(off, day, t.integer(days))} + 1))`;

/**
 * SQL: whether a time is before `daysOnAgo` for any user `u` who has no days off of their own: with the days off of all classes
 * together, and two days more than asked for, since the day of a user may be that before or after the one in UTC. Those days
 * are read once per statement, so that a list of all users decides most of them without their calendars.
 */
export const isLongAgo = (time: Sql, at: Interpolation, days: number): Sql => sql`(
  ${time} < (SELECT ${at}::timestamptz - make_interval(hours =>
      24 * (day.tomorrow - ${firstOfDaysOn(sql`entries.off`, sql`day.tomorrow`, t.integer(days + 2))} + 1))
    FROM (SELECT (${at}::timestamptz AT TIME ZONE 'UTC')::date + 1 AS tomorrow) AS day,
      (SELECT coalesce(range_agg(daterange(e.first_day, e.last_day, '[]')), '{}') AS off FROM school_days e WHERE e.kind = 'off') AS entries)
  AND NOT EXISTS (SELECT FROM days_off own WHERE own.user_id = u.id))`;

/**
 * SQL: whether a user is silent at a time, by the end of their latest record and whether a timer is running. Days off do
 * not count, and are only looked at of users who would be silent with them.
 */
export const isSilent = (lastSession: Sql, isStudying: Sql, at: Interpolation, today: TodayOf): Sql => sql`(
  CASE WHEN ${lastSession} <= ${at}::timestamptz - make_interval(hours => ${t.integer(24 * silentDays)}) AND NOT ${isStudying}
    THEN ${lastSession} <= ${daysOnAgo(at, silentDays, today)} ELSE false END)`;

export const goalCounts = {
  goals_not_started: t.bigint,
  goals_overdue: t.bigint,
  goals_behind: t.bigint,
  goals_slowing: t.bigint,
  goals_on_track: t.bigint,
  goals_ahead: t.bigint,
  goals_done: t.bigint,
  /** Of all these. */
  goals_total: t.bigint,
  goals_near: t.bigint,
};
export type GoalCounts = RowOf<typeof goalCounts>;

/** The percentage of its target from which a project counts as near it. */
const near = 80;

const isActive = sql`p.status = 'active' AND p.deleted_at IS NULL`;
const hasPlan = sql`(p.due_date IS NOT NULL OR p.weekly_goal_hours IS NOT NULL)`;
/** SQL: whether a user with the totals `k` of a project `p` has nearly reached its target. */
const isNear = sql`k.seconds >= p.target_hours * 36 * ${t.integer(near)}`;

/**
 * SQL: rows `(user_id, ids)` of the active projects that may be goals of these users: owned ones, and assigned ones for each, with a
 * plan or nearly reached. For all users at once, and from indexes as far as possible: one by one, each of a user's projects would be
 * looked up by itself, and most are no goals.
 */
const projectsOfGoals = (userIds: Sql) => sql`
  SELECT mine.user_id, array_agg(mine.id) AS ids FROM (
    SELECT p.user_id, p.id FROM projects p WHERE p.user_id IN (${userIds}) AND ${hasPlan} AND ${isActive}
    UNION SELECT k.user_id, k.project_id
    FROM (${userIds}) AS owner
    CROSS JOIN LATERAL (SELECT o.id FROM projects o WHERE o.user_id = owner.user_id AND o.deleted_at IS NULL OFFSET 0) AS owned
    JOIN project_user_totals k ON k.user_id = owner.user_id AND k.project_id = owned.id
    CROSS JOIN LATERAL (SELECT FROM projects p WHERE p.id = k.project_id AND ${isActive} AND ${isNear} OFFSET 0) AS p
    UNION SELECT a.user_id, p.id
    FROM project_assignments a CROSS JOIN LATERAL (
      SELECT p.id FROM projects p
      WHERE p.id = a.project_id AND p.target_scope = 'each' AND ${isActive} AND (${hasPlan} OR EXISTS (
        SELECT FROM project_user_totals k WHERE k.user_id = a.user_id AND k.project_id = p.id AND ${isNear})) OFFSET 0) AS p
    WHERE a.user_id IN (${userIds})) AS mine
  GROUP BY mine.user_id`;

/** SQL: the projects `p` that may be goals of a requested user. */
export const goalsOfRequested = sql`unnest(requested.goal_ids) AS mine (id)
  CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = mine.id OFFSET 0) AS p`;

/** SQL: whether a project `p` of a user was already theirs, or assigned to them, at a time. */
const wasMember = (userId: Interpolation, at: Interpolation) => sql`(p.user_id = ${userId} OR EXISTS (
  SELECT FROM project_assignments a WHERE a.project_id = p.id AND a.user_id = ${userId} AND a.assigned_at <= ${at}))`;

/** SQL: a row with the counts of a requested user's goals on the day of the relation `today`, also as they were at `until`. */
export function countGoals(calendar: CalendarParameters & { user_id: Sql }, until?: Interpolation): Sql {
  const number = (state: string) => sql`count(*) FILTER (WHERE g.state = ${t.text(state)})`;
  return sql`
    SELECT ${number('not_started')} AS goals_not_started, ${number('overdue')} AS goals_overdue,
      ${number('behind')} AS goals_behind, ${number('slowing')} AS goals_slowing,
      ${number('on_track')} AS goals_on_track, ${number('ahead')} AS goals_ahead, ${number('done')} AS goals_done,
      count(*) FILTER (WHERE g.state <> 'no_target') AS goals_total, count(*) FILTER (WHERE g.is_near) AS goals_near
    FROM (
      SELECT goal.state, goal.current_seconds < goal.target_seconds
        AND goal.current_seconds * 100 >= goal.target_seconds * ${t.integer(near)} AS is_near
      FROM ${goalsOfRequested}
      ${joinGoal(calendar.user_id, calendar, until)}
      WHERE goal.own AND goal.target_seconds > 0
        ${until === undefined ? empty : sql`AND p.created_at <= ${until} AND ${wasMember(calendar.user_id, until)}`}
    ) AS g`;
}

/** SQL: the state of a user with these `goals`. The only definition; lists, filters, counts and mails take it from here. */
export const attentionOf = (silent: Sql): Sql => sql`CASE
  WHEN ${silent} THEN 'silent'
  WHEN goals.goals_overdue > 0 THEN 'overdue'
  WHEN goals.goals_behind > 0 THEN 'behind'
  WHEN goals.goals_slowing > 0 THEN 'slowing'
  WHEN goals.goals_not_started > 0 THEN 'not_started'
  WHEN goals.goals_total > 0 THEN 'on_track'
  ELSE 'without_goals' END`;

export type CalendarOwner = { user_id: number; zone: string };
const given = (users: readonly CalendarOwner[]): Sql => sql`
  unnest(${t.bigints(users.map((user) => user.user_id))}, ${t.texts(users.map((user) => user.zone))})
    AS requested (user_id, zone)`;
/** SQL: the rows of `users` as `requested`, with the ids of the projects that may be goals of those whom `whose` selects of `given`. */
const withGoals = (users: Sql, whose: Sql): Sql => sql`(
  WITH given AS MATERIALIZED (${users})
  SELECT given.*, mine.ids AS goal_ids
  FROM given LEFT JOIN (${projectsOfGoals(whose)}) AS mine USING (user_id)) AS requested`;

/** SQL: the users as `requested (user_id, zone, goal_ids)`, whose columns `ofRequested` and `goalsOfRequested` take. */
export const requested = (users: readonly CalendarOwner[]): Sql =>
  withGoals(sql`SELECT requested.* FROM ${given(users)}`, sql`SELECT g.user_id FROM given g`);

/**
 * SQL: the users with their `day`, days `off` and whether they are silent as well. The goals of silent users are left out: they do
 * not change their state.
 */
export const requestedStates = (users: readonly CalendarOwner[], now: Interpolation): Sql =>
  withGoals(
    sql`
      SELECT requested.*, today.day, today.off, ${isRequestedSilent(now)} AS is_silent
      FROM ${given(users)} CROSS JOIN LATERAL (${todayOf(ofRequested(now))} OFFSET 0) AS today`,
    sql`SELECT g.user_id FROM given g WHERE NOT g.is_silent`,
  );

export const ofRequested = (now: Interpolation) => ({
  zone: sql`requested.zone`,
  now,
  user_id: sql`requested.user_id`,
});

/** SQL: whether a requested user is silent now. */
export const isRequestedSilent = (now: Interpolation): Sql =>
  isSilent(
    sql`(SELECT k.last_session_at FROM user_study_totals k WHERE k.user_id = requested.user_id)`,
    sql`EXISTS (SELECT FROM study_sessions s WHERE s.user_id = requested.user_id AND s.ended_at IS NULL)`,
    now,
    ofToday,
  );
