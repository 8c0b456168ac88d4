import { empty, type Interpolation, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { daysOn, firstOfDaysOn } from '../calendar/day-kind-sql.ts';
import { type CalendarParameters, dayOf, dayStartOf } from '../calendar/study-days.ts';
import { daysToStart, longestPace, shortestPace } from './goal-states.ts';

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
 * SQL: joins to a project `p` its `goal` on the day of the relation `today` (day, off). A goal of the person, if it is one, comes
 * from their hours alone; otherwise the hours are those of all users, or if each is to reach the target, their mean.
 * `pace_seconds` are those of the last four weeks, or of a younger plan; days off are no days of pace and plan. With `until`, a goal of the person is as it was
 * then: without sessions that ended later.
 */
export function joinGoal(person: Interpolation | null, calendar: CalendarParameters, until?: Interpolation): Sql {
  // OFFSET 0 below and in `judgeGoal`: otherwise every use of a day or figure, such as for each session, would compute it again.
  const isOwn = person === null ? sql`false` : isOwnGoal(person);
  const opens = sql`(${dayStartOf(firstOfDaysOn(sql`today.off`, sql`today.day`, t.integer(longestPace)), calendar)})`;
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
  const user = person ?? sql`NULL::bigint`;
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
    CROSS JOIN LATERAL (SELECT ${opens} AS opens OFFSET 0) AS span
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(r.seconds), 0) AS seconds, min(greatest(r.started_at, span.opens)) AS first_start
      FROM (${own} ${recent(sql`NOT whose.own AND s.project_id = p.id`)}) AS r) AS recent
    CROSS JOIN LATERAL (
      SELECT whose.own, whose.members, today.day AS today, today.off, ${targetSeconds} AS target_seconds,
        (CASE WHEN whose.own THEN ${ownSeconds} ELSE p.current_seconds END / whose.members)::bigint AS current_seconds,
        (recent.seconds / whose.members)::bigint AS pace_seconds,
        ${paceDays(sql`today.off`, sql`today.day`, dayOf(sql`p.plan_started_at`, calendar), dayOf(sql`recent.first_start`, calendar))} AS pace_days,
        ${dayOf(sql`(CASE WHEN whose.own THEN ${beganAt(user)} ELSE ${beganAt(null)} END)`, calendar)} AS began_on,
        ${dayOf(sql`(CASE WHEN whose.own THEN ${assignedAt(user)} ELSE ${assignedAt(null)} END)`, calendar)} AS assigned_on
      OFFSET 0) AS figures
    ${judgeGoal}`;
}

/** SQL: the days of pace since a plan or, if it is older, the study of these days began. */
export const paceDays = (off: Sql, today: Sql, planned: Sql, studied: Sql): Sql => sql`
  least(${t.integer(longestPace)}, greatest(${t.integer(shortestPace)}, ${daysOn(off, sql`least(${planned}, ${studied})`, today)}))`;

/** SQL: the target of a project `p`. */
export const targetSeconds: Sql = sql`(p.target_hours * 3600)::bigint`;

const plannedAt = sql`least(p.created_at, p.plan_started_at)`;

/** SQL: when a project `p` was assigned to the person, or else to anyone first; its creation if it is not assigned. */
export const assignedAt = (person: Interpolation | null): Sql => sql`coalesce((
  SELECT min(a.assigned_at) FROM project_assignments a
  WHERE a.project_id = p.id ${person === null ? empty : sql`AND a.user_id = ${person}`}), ${plannedAt})`;

/**
 * SQL: from when an even pace of a project `p` counts: for a person the assignment, otherwise the creation; or their
 * oldest record, since study may be imported.
 */
export function beganAt(person: Interpolation | null): Sql {
  const began = person === null ? plannedAt : assignedAt(person);
  return sql`least(${began}, (
    SELECT s.started_at FROM study_sessions s
    WHERE s.project_id = p.id AND s.started_at < ${began} ${person === null ? empty : sql`AND s.user_id = ${person}`}
    ORDER BY s.started_at LIMIT 1))`;
}

/**
 * SQL: joins to a project `p` its `goal`, judged by the `figures` (target_seconds, current_seconds, pace_seconds,
 * pace_days, today, off, began_on, assigned_on). This is the only definition of the state of a goal; every list, count, mail
 * and response takes it from here.
 *
 * An even pace has nothing on `began_on` and the target on the due date, as the line in charts; a day's share may be
 * missing. `even_seconds` is what it has today; without a due date, that of the weekly goal. `days_left` and
 * `days_needed` include today. All of these are without days off, except that the due date passes on any day.
 */
export const judgeGoal: Sql = sql`
  CROSS JOIN LATERAL (
    SELECT ${daysOn(sql`figures.off`, sql`figures.today`, sql`p.due_date`)} AS days_left,
      CASE WHEN figures.pace_seconds > 0 THEN ceil(greatest(0, figures.target_seconds - figures.current_seconds)::numeric
        * figures.pace_days / figures.pace_seconds) END AS days_needed,
      greatest(1, ${daysOn(sql`figures.off`, sql`figures.began_on + 1`, sql`p.due_date`)})::bigint AS span,
      ${daysOn(sql`figures.off`, sql`figures.began_on + 1`, sql`figures.today`)}::bigint AS passed OFFSET 0) AS pace
  CROSS JOIN LATERAL (
    SELECT figures.*, pace.days_left, pace.days_needed,
      CASE WHEN figures.target_seconds = 0 THEN NULL
        WHEN p.due_date IS NOT NULL THEN least(figures.target_seconds, figures.target_seconds * pace.passed / pace.span)
        WHEN p.weekly_goal_hours IS NOT NULL
          THEN least(figures.target_seconds, (p.weekly_goal_hours * 3600 * pace.passed / 7)::bigint) END AS even_seconds,
      CASE
        WHEN p.status = 'completed' THEN 'done'
        WHEN figures.target_seconds > 0 AND figures.current_seconds >= figures.target_seconds THEN 'done'
        WHEN p.status = 'paused' THEN 'paused'
        WHEN figures.target_seconds = 0 OR p.due_date IS NULL AND p.weekly_goal_hours IS NULL THEN 'no_target'
        WHEN p.due_date < figures.today THEN 'overdue'
        WHEN figures.current_seconds = 0 THEN
          CASE WHEN ${daysOn(sql`figures.off`, sql`figures.assigned_on + 1`, sql`figures.today`)} <= ${t.integer(daysToStart)} THEN 'not_started' ELSE 'behind' END
        WHEN p.due_date IS NULL THEN 'on_track'
        WHEN figures.current_seconds * pace.span < figures.target_seconds * (pace.passed - 1) THEN 'behind'
        WHEN pace.days_needed IS NULL OR pace.days_needed > pace.days_left THEN 'slowing'
        WHEN figures.current_seconds * pace.span > figures.target_seconds * pace.passed
          AND (pace.days_left - pace.days_needed) * 10 >= pace.days_left THEN 'ahead'
        ELSE 'on_track' END AS state) AS goal`;
