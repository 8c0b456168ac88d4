import { empty, type Interpolation, type Sql, sql, t } from '../../db/sql/sql.ts';
import { type CalendarParameters, dayOf, dayStartOf } from '../statistics/study-days.ts';
import { longestPace, shortestPace } from './forecast.ts';

/**
 * SQL: whether the target of project `p` is a goal of the person: one that they are to reach alone. Owners take part in
 * a project that they have to themselves, or in which they have studied.
 */
export const isOwnGoal = (person: Interpolation): Sql => sql`(
  p.target_scope = 'each'
    AND EXISTS (SELECT FROM project_assignments a WHERE a.project_id = p.id AND a.user_id = ${person})
  OR p.user_id = ${person} AND (
    NOT EXISTS (SELECT FROM project_assignments a WHERE a.project_id = p.id AND a.user_id <> ${person})
    OR EXISTS (
      SELECT FROM project_user_totals k WHERE k.project_id = p.id AND k.user_id = ${person} AND k.seconds > 0)))`;

/**
 * SQL: joins to a project `p` its `goal` on the day of the relation `today`. A goal of the person, if it is one, comes
 * from their hours alone; otherwise the hours are those of all users, or if each is to reach the target, their mean.
 * `pace_seconds` are those of the last four weeks, or of a younger plan; `days_needed` at that pace, today included.
 * With `until`, a goal of the person is as it was then: without sessions that ended later.
 */
export function joinGoal(person: Interpolation | null, calendar: CalendarParameters, until?: Interpolation): Sql {
  const isOwn = person === null ? sql`false` : isOwnGoal(person);
  const opens = sql`(${dayStartOf(sql`today.day - ${t.integer(longestPace - 1)}`, calendar)})`;
  // Whole seconds from the start of a session, as statistics count them.
  const seconds = sql`floor(extract(epoch FROM s.ended_at - s.started_at))
    - greatest(0, floor(extract(epoch FROM span.opens - s.started_at)))`;
  const recent = (condition: Sql) => sql`
    SELECT s.started_at, ${seconds} AS seconds FROM study_sessions s
    WHERE ${condition} AND s.ended_at > span.opens AND s.ended_at IS NOT NULL
      ${until === undefined ? empty : sql`AND s.ended_at <= ${until}`}`;
  const own =
    person === null
      ? empty
      : sql`${recent(sql`whose.own AND s.user_id = ${person} AND s.project_id = p.id
          AND s.started_at > span.opens - interval '25 hours'`)} UNION ALL`;
  const user = person ?? sql`NULL`;
  const later =
    until === undefined
      ? empty
      : sql`- coalesce((
          SELECT sum(s.duration_seconds) FROM study_sessions s
          WHERE s.user_id = ${user} AND s.project_id = p.id AND s.started_at > ${until}::timestamptz - interval '25 hours'
            AND s.ended_at > ${until}), 0)`;
  const ownSeconds = sql`coalesce((
    SELECT k.seconds FROM project_user_totals k WHERE k.user_id = ${user} AND k.project_id = p.id), 0) ${later}`;
  return sql`
    CROSS JOIN LATERAL (
      SELECT w.own, CASE WHEN p.target_scope = 'shared' OR w.own THEN 1 ELSE greatest(1, (
        SELECT count(*) FROM project_assignments a WHERE a.project_id = p.id)) END AS members
      FROM (SELECT ${isOwn} AS own OFFSET 0) AS w OFFSET 0) AS whose
    CROSS JOIN LATERAL (SELECT ${opens} AS opens) AS span
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(r.seconds), 0) AS seconds, min(greatest(r.started_at, span.opens)) AS first_start
      FROM (${own} ${recent(sql`NOT whose.own AND s.project_id = p.id`)}) AS r) AS recent
    CROSS JOIN LATERAL (
      SELECT (p.target_hours * 3600)::bigint AS target_seconds,
        (CASE WHEN whose.own THEN ${ownSeconds} ELSE p.current_seconds END / whose.members)::bigint AS current_seconds,
        (recent.seconds / whose.members)::bigint AS pace_seconds,
        least(${t.integer(longestPace)}, greatest(${t.integer(shortestPace)}, today.day + 1 - least(
          ${dayOf(sql`p.plan_started_at`, calendar)}, ${dayOf(sql`recent.first_start`, calendar)}))) AS pace_days,
        p.due_date - today.day + 1 AS days_left) AS figures
    CROSS JOIN LATERAL (
      SELECT figures.*, whose.own, whose.members, ${daysNeeded} AS days_needed) AS goal`;
}

/** SQL: the day from which an even pace of a project `p` with its `goal` counts. Imported study may be older than it. */
export const beganOn = (person: Interpolation, calendar: CalendarParameters): Sql => sql`least(
  ${dayOf(sql`p.created_at`, calendar)},
  ${dayOf(
    sql`CASE WHEN goal.own
      THEN (SELECT s.started_at FROM study_sessions s WHERE s.user_id = ${person} AND s.project_id = p.id
        ORDER BY s.started_at LIMIT 1)
      ELSE (SELECT s.started_at FROM study_sessions s WHERE s.project_id = p.id ORDER BY s.started_at LIMIT 1) END`,
    calendar,
  )})`;

/** SQL: `daysNeeded` with the `figures` of a goal. */
export const daysNeeded: Sql = sql`CASE WHEN figures.pace_seconds > 0 THEN
  ceil(greatest(0, figures.target_seconds - figures.current_seconds)::numeric * figures.pace_days / figures.pace_seconds) END`;

/** SQL: `goalState` of a project `p` with its `goal`; a test compares both. */
export const stateOfGoal: Sql = sql`(
  CASE
    WHEN p.status = 'completed' OR goal.target_seconds > 0 AND goal.current_seconds >= goal.target_seconds THEN 'done'
    WHEN p.status = 'paused' THEN 'paused'
    WHEN goal.target_seconds = 0 THEN 'no_target'
    WHEN goal.days_left IS NULL THEN 'on_track'
    WHEN goal.days_left < 1 THEN 'overdue'
    WHEN goal.days_needed IS NULL OR goal.days_needed > goal.days_left THEN 'behind'
    WHEN (goal.days_left - goal.days_needed) * 10 >= goal.days_left THEN 'ahead'
    ELSE 'on_track' END)`;
