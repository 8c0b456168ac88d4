import { empty, type Interpolation, type RowOf, type Sql, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { joinGoal, stateOfGoal } from '../goals/goal-sql.ts';
import { type CalendarParameters, dayOf, sinceGap, studiedDays, studyDays } from '../statistics/study-days.ts';
import { firstDayOfWeek, type StudiedDays, secondsBetween, studyFigures } from '../statistics/study-figures.ts';
import { daysShown, silentDays, weeksShown } from './progress-schemas.ts';

const goalCounts = {
  goals_behind: t.bigint,
  goals_near: t.bigint,
  goals_overdue: t.bigint,
  goals_ahead: t.bigint,
  goals_total: t.bigint,
};
type GoalCounts = RowOf<typeof goalCounts>;
const standing = { user_id: t.bigint, zone: t.text, studied: t.json<StudiedDays>(), ...goalCounts };
export type Standing = GoalCounts & ReturnType<typeof studyOf> & { current_streak: number };

/** The percentage of its target from which a project counts as near it. */
const near = 80;

// Active projects that may be goals of a user: owned ones that are due or nearly reached, and assigned ones for each. By
// index, however many others there are.
const goalsOf = (userId: Sql) => sql`
  SELECT p.id FROM projects p
  WHERE p.user_id = ${userId} AND p.due_date IS NOT NULL AND p.status = 'active' AND p.deleted_at IS NULL
  UNION SELECT k.project_id FROM project_user_totals k CROSS JOIN LATERAL (
    SELECT FROM projects p WHERE p.id = k.project_id AND p.user_id = k.user_id AND p.status = 'active'
      AND p.deleted_at IS NULL AND k.seconds >= p.target_hours * 36 * ${t.integer(near)} OFFSET 0) AS p
  WHERE k.user_id = ${userId}
  UNION SELECT a.project_id FROM project_assignments a CROSS JOIN LATERAL (
    SELECT FROM projects p WHERE p.id = a.project_id AND p.target_scope = 'each' AND p.status = 'active'
      AND p.deleted_at IS NULL OFFSET 0) AS p
  WHERE a.user_id = ${userId}`;

/** SQL: a row with the counts of a user's goals on the day of the relation `today`, also as they were at `until`. */
const countGoals = (calendar: CalendarParameters & { user_id: Sql }, until?: Interpolation) => sql`
  SELECT count(*) FILTER (WHERE g.state IN ('behind', 'overdue')) AS goals_behind,
    count(*) FILTER (WHERE g.is_near) AS goals_near,
    count(*) FILTER (WHERE g.state = 'overdue') AS goals_overdue,
    count(*) FILTER (WHERE g.state = 'ahead') AS goals_ahead, count(*) AS goals_total
  FROM (
    SELECT ${stateOfGoal} AS state, goal.current_seconds < goal.target_seconds
      AND goal.current_seconds * 100 >= goal.target_seconds * ${t.integer(near)} AS is_near
    FROM (${goalsOf(calendar.user_id)}) AS mine
    CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = mine.id OFFSET 0) AS p
    ${joinGoal(calendar.user_id, calendar, until)}
    WHERE goal.own AND goal.target_seconds > 0
      ${until === undefined ? empty : sql`AND p.created_at <= ${until} AND ${wasMember(calendar.user_id, until)}`}
  ) AS g`;

/** SQL: whether a project `p` of a user was already theirs, or assigned to them, at a time. */
const wasMember = (userId: Interpolation, at: Interpolation) => sql`(p.user_id = ${userId} OR EXISTS (
  SELECT FROM project_assignments a WHERE a.project_id = p.id AND a.user_id = ${userId} AND a.assigned_at <= ${at}))`;

export type CalendarOwner = { user_id: number; zone: string };
const requested = (users: readonly CalendarOwner[]) => sql`
  unnest(${t.bigints(users.map((user) => user.user_id))}, ${t.texts(users.map((user) => user.zone))})
    AS requested (user_id, zone)`;
const ofRequested = (now: Interpolation) => ({ zone: sql`requested.zone`, now, user_id: sql`requested.user_id` });

// With the definitions of statistics and goals, in the calendar of each user.
export const readStandings = query('read_standings', standing, (users: readonly CalendarOwner[], now: Date) => {
  const calendar = ofRequested(t.timestamptz(now));
  return sql`
      SELECT requested.user_id, requested.zone, figures.*
      FROM ${requested(users)}
      CROSS JOIN LATERAL (
        WITH ${studyDays(sinceGap(sql`requested.user_id`, calendar.now, weeksShown * 7 + 8), calendar)}
        SELECT json_build_object(${studiedDays}) AS studied, goals.*
        FROM today CROSS JOIN LATERAL (${countGoals(calendar)}) AS goals) AS figures`;
});

const past = {
  at: t.timestamptz,
  last_session: t.timestamptz.orNull,
  is_studying: t.boolean,
  ...goalCounts,
};

/** What is needed for the urgency of each user at earlier times, by the goals that the user still has. */
export const readPastStandings = query(
  'read_past_standings',
  past,
  (users: readonly CalendarOwner[], times: readonly Date[]) => {
    const at = sql`moment.at`;
    const calendar = ofRequested(at);
    const own = sql`FROM study_sessions s WHERE s.user_id = requested.user_id AND s.started_at <= ${at}`;
    return sql`
      SELECT moment.at, goals.*,
        (SELECT s.ended_at ${own} AND s.ended_at <= ${at} ORDER BY s.started_at DESC LIMIT 1) AS last_session,
        EXISTS (SELECT ${own} AND s.started_at > ${at} - interval '2 days' AND coalesce(s.ended_at > ${at}, true)) AS is_studying
      FROM ${requested(users)}
      JOIN users u ON u.id = requested.user_id
      JOIN unnest(${t.timestamptzs(times.map((time) => time.toISOString()))}) AS moment (at) ON u.created_at <= moment.at
      CROSS JOIN LATERAL (SELECT ${dayOf(at, calendar)} AS day) AS today
      CROSS JOIN LATERAL (${countGoals(calendar, at)}) AS goals`;
  },
);

/** Seconds of the latest weeks and days, the current ones last, and of the week before up to the same weekday. */
function studyOf({ today, week_start, days }: StudiedDays) {
  const week = firstDayOfWeek(today, week_start);
  return {
    weeks: Array.from({ length: weeksShown }, (_, index) => {
      const first = week - 7 * (weeksShown - 1 - index);
      return secondsBetween({ days }, first, first + 6);
    }),
    days: Array.from({ length: daysShown }, (_, index) => {
      const day = today - (daysShown - 1 - index);
      return secondsBetween({ days }, day, day);
    }),
    last_week_so_far: secondsBetween({ days }, week - 7, today - 7),
  };
}

export function standingOf({ user_id: _, zone, studied, ...goals }: RowOf<typeof standing>): Standing {
  return { current_streak: studyFigures(studied, zone).current_streak, ...goals, ...studyOf(studied) };
}

type Urgent = GoalCounts & { last_session: string | null; is_studying: boolean };
const rank = 1_000_000;

/** More for users who should be looked at first: silent ones, then by goals that are overdue or behind, then others. */
export function urgencyOf(user: Urgent, now: Date): number {
  if (!user.is_studying && user.last_session === null) return rank;
  const last = user.last_session === null ? now.getTime() : Date.parse(user.last_session);
  const silent = Math.floor((now.getTime() - last) / 86_400_000);
  if (!user.is_studying && silent >= silentDays) return 4 * rank + silent;
  if (user.goals_overdue > 0) return 3 * rank + user.goals_overdue;
  if (user.goals_behind > 0) return 2 * rank + user.goals_behind;
  return user.goals_total === 0 ? -2 : user.goals_ahead === user.goals_total ? -1 : 0;
}

/** Whether a user has started, is not silent, and has goals, none of which is behind. */
export const isOnTrack = (user: Urgent, now: Date): boolean => urgencyOf(user, now) <= 0 && user.goals_total > 0;
