import type { Executor } from '../../../db/executor.ts';
import { constant, type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { execute, many, maybeValue, one, values } from '../../../db/statements.ts';
import { daysOn, rangesOf, specialDays } from '../calendar/day-kind-sql.ts';
import type { Day, DayRanges } from '../calendar/day-kinds.ts';
import { dayNumber, isCounted, statusChanges } from '../calendar/study-days.ts';
import type { StatusChange } from '../calendar/study-runs.ts';
import { type DaysOf, nextStudyDay, previousStudyDay, touchedDays } from '../calendar/study-walk-sql.ts';
import { idsOf, longestStreak, requiredAmounts } from './achievement-catalogue.ts';
import { reachedAlone, reachedTogether, reachesGoal } from './target-repository.ts';

/** SQL: the local time at which a session `s` starts, in the zone in which it was recorded. */
const start = sql`(s.started_at AT TIME ZONE s.time_zone)`;
/** SQL: whether a session `s` begins between 4:00 and 7:00. */
export const isEarlyBird = sql`(${start}::time >= '04:00' AND ${start}::time < '07:00')`;
/** SQL: whether a session `s` is partly between 22:00 and 4:00. */
export const isNightOwl = sql`(${start}::time >= '22:00' OR ${start}::time < '04:00'
  OR s.ended_at AT TIME ZONE s.time_zone > ${start}::date + time '22:00')`;

/** A finished session that is new or has changed, and what its transaction adds to its project: seconds of all, and of its user. */
export type Earning = { id: number; added: number; own_added: number };

const earningColumns = {
  id: t.bigint,
  user_id: t.bigint,
  project_id: t.bigint,
  ended_at: t.timestamptz,
  zone: t.text,
  day_start_hour: t.integer,
  rest_weekdays: t.integers,
  user_seconds: t.bigint,
  project_seconds: t.bigint,
  /** Whether the transaction has reached the target of the project, and whether the user has reached one that each is to reach. */
  reached: t.boolean,
  reached_by_user: t.boolean,
  /** Whether the transaction has reached the target as a goal: of the user if each is to reach it, otherwise of all. */
  is_goal: t.boolean,
  is_for_each: t.boolean,
  /** Whether the record is long enough to earn awards, except that of the target. */
  is_counted: t.boolean,
  early_bird: t.boolean,
  night_owl: t.boolean,
  by_user: t.integers,
  by_project: t.integers,
  user_days: t.integers,
  project_days: t.integers,
};
export type EarningRow = RowOf<typeof earningColumns>;

const calendar = { zone: sql`u.timezone`, dayStart: sql`make_interval(hours => u.day_start_hour)` };
const streakIds = t.integers(idsOf('streak'));

/** SQL: the days of a record on which no other record counts; none if all streaks are earned, or it does not count. */
function newDays(of: DaysOf): Sql {
  const [id, earned] = of === 'user' ? [sql`s.user_id`, sql`e.by_user`] : [sql`s.project_id`, sql`e.by_project`];
  const after = { id: sql`d.id`, day: sql`(d.day + 1)`, ...calendar };
  const days = constant(sql`ARRAY(
    SELECT ${dayNumber(sql`d.day`)} FROM (SELECT DISTINCT t.day, ${id} AS id FROM ${touchedDays(calendar)}) AS d
    WHERE ${previousStudyDay(of, after, sql`AND s.id NOT IN (SELECT r.id FROM record r)`)} IS DISTINCT FROM d.day)`);
  return sql`CASE WHEN ${earned} @> ${streakIds} OR NOT ${isCounted(sql`s.duration_seconds`)} THEN '{}' ELSE ${days} END`;
}
const newDaysOf = { user: newDays('user'), project: newDays('project') };

// A JSON array has the same plan for one record and for many; with another array, it would be planned for each length.
export const readEarnings = many('read_earnings', earningColumns, (records: readonly Earning[]) => {
  const added = t.jsonb(JSON.stringify(records));
  return sql`
    WITH record AS MATERIALIZED (SELECT * FROM jsonb_to_recordset(${added}) AS r (id bigint, added bigint, own_added bigint))
    SELECT s.id, s.user_id, s.project_id, s.ended_at, u.timezone AS zone, u.day_start_hour, u.rest_weekdays,
      coalesce(k.seconds, 0) AS user_seconds, p.current_seconds AS project_seconds,
      ${reachedTogether} AS reached, ${reachedAlone} AS reached_by_user, ${reachesGoal} AS is_goal, p.target_scope = 'each' AS is_for_each,
      ${isCounted(sql`s.duration_seconds`)} AS is_counted,
      ${isEarlyBird} AS early_bird, ${isNightOwl} AS night_owl, e.by_user, e.by_project,
      ${newDaysOf.user} AS user_days, ${newDaysOf.project} AS project_days
    FROM record r
    JOIN study_sessions s ON s.id = r.id
    JOIN users u ON u.id = s.user_id
    JOIN projects p ON p.id = s.project_id
    LEFT JOIN user_study_totals k ON k.user_id = s.user_id
    LEFT JOIN project_user_totals own ON own.user_id = s.user_id AND own.project_id = s.project_id
    CROSS JOIN LATERAL (
      SELECT ARRAY(SELECT a.achievement_id FROM user_achievements a WHERE a.user_id = s.user_id) AS by_user,
        ARRAY(SELECT a.achievement_id FROM project_achievements a WHERE a.project_id = s.project_id) AS by_project) AS e
    ORDER BY s.ended_at, s.id`;
});

/** A newly studied day from which to look for other days, by the calendar of the user. */
export type Start = { id: number; user_id: number; day: Day };

const walkColumns = {
  position: t.integer,
  days: t.integers,
  changes: t.json<StatusChange[]>(),
  off: t.json<DayRanges>(),
  school: t.json<DayRanges>(),
};

/**
 * Reads days of study before and after each given one, as many as the longest streak has, with a few index probes for each. It stops at
 * a gap that is longer than all rest days and one day that the zone skipped, besides days off; a pause may be of any length.
 */
/** The days of study around each start, in order and including it; and for projects their changes of status. */
export const walkDays = many('walk_study_days', walkColumns, (of: AwardedTo, starts: readonly Start[]) => {
  const given = t.jsonb(JSON.stringify(starts.map((start, position) => ({ position, ...start }))));
  const at = { id: sql`w.id`, day: sql`w.day`, zone: sql`w.zone`, dayStart: sql`w.day_start` };
  const shown = { zone: sql`u.timezone`, user_id: sql`g.user_id`, now: sql`now()` };
  return sql`
    WITH RECURSIVE start AS MATERIALIZED (
      SELECT g.position, g.id, date '1970-01-01' + g.day AS day, u.timezone AS zone,
        make_interval(hours => u.day_start_hour) AS day_start, 2 + cardinality(u.rest_weekdays) AS gap, special.off, special.school,
        ${of === 'user' ? sql`'[]'::json` : statusChanges(sql`g.id`, shown)} AS changes
      FROM jsonb_to_recordset(${given}) AS g (position integer, id bigint, user_id bigint, day integer) JOIN users u ON u.id = g.user_id
      CROSS JOIN LATERAL (${specialDays(sql`g.user_id`)}) AS special),
    walk AS (
      SELECT b.position, b.id, b.day, b.zone, b.day_start, b.off, d.direction, 0 AS steps, 0 AS days_on,
        CASE WHEN b.changes::text = '[]' THEN b.gap ELSE 100000 END AS gap
      FROM start b CROSS JOIN (VALUES (-1), (1)) AS d (direction)
      UNION ALL
      SELECT w.position, w.id, n.day, w.zone, w.day_start, w.off, w.direction, w.steps + 1,
        w.days_on + CASE WHEN w.off @> n.day THEN 0 ELSE 1 END, w.gap
      FROM walk w CROSS JOIN LATERAL (
        SELECT CASE WHEN w.direction < 0 THEN ${previousStudyDay(of, at)} ELSE ${nextStudyDay(of, at)} END AS day
        OFFSET 0 /* otherwise each use repeats the search */) AS n
      WHERE w.days_on < ${t.integer(longestStreak)} AND w.steps < ${t.integer(4 * longestStreak)}
        AND n.day IS NOT NULL
        AND ${daysOn(sql`w.off`, sql`least(n.day, w.day) + 1`, sql`greatest(n.day, w.day) - 1`)} < w.gap)
    SELECT b.position, b.changes, ${rangesOf(sql`b.off`)} AS off, ${rangesOf(sql`b.school`)} AS school,
      ARRAY(SELECT DISTINCT ${dayNumber(sql`w.day`)} FROM walk w WHERE w.position = b.position ORDER BY 1) AS days
    FROM start b ORDER BY b.position`;
});

const listEarned = many(
  'list_achievements',
  { id: t.integer, earned_at: t.timestamptz },
  (userId: number) => sql`
    SELECT e.achievement_id AS id, e.earned_at FROM user_achievements e WHERE e.user_id = ${t.bigint(userId)}`,
);

// Writers of sessions hold this row until they commit. It is inserted to wait also for the first one.
const waitForWritersStatement = one('wait_for_writers_of_sessions', { zone: t.text.orNull }, (userId: number) => {
  const id = t.bigint(userId);
  return sql`
    INSERT INTO user_study_totals AS k (user_id, seconds) VALUES (${id}, 0)
    ON CONFLICT (user_id) DO UPDATE SET seconds = k.seconds
    RETURNING (SELECT u.timezone FROM users u WHERE u.id = ${id} AND u.deleted_at IS NULL) AS zone`;
});

export type AwardedTo = 'user' | 'project';
/** `at`: when the record ended that earned it. */
export type Award = { to: AwardedTo; owner: number; id: number; at: string };

// In id order, so that transactions do not wait for each other's rows in a circle. All who took part share a project's target,
// unless each is to reach it.
export const give = execute('give_awards', (awards: readonly Award[]) => {
  const [target] = idsOf('target');
  const given = t.jsonb(JSON.stringify(awards));
  return sql`
    WITH given AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${given}) AS g ("to" text, owner bigint, id integer, at timestamptz)),
    of_projects AS (
      INSERT INTO project_achievements (project_id, achievement_id, earned_at)
      SELECT g.owner, g.id, g.at FROM given g WHERE g.to = 'project' ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING)
    INSERT INTO user_achievements (user_id, achievement_id, earned_at)
    SELECT g.owner, g.id, g.at FROM given g WHERE g.to = 'user'
    UNION ALL
    SELECT k.user_id, g.id, g.at FROM given g JOIN projects p ON p.id = g.owner JOIN project_user_totals k ON k.project_id = g.owner
    WHERE g.to = 'project' AND g.id = ${t.integer(target ?? null)} AND k.sessions_count > 0
      AND (p.target_scope = 'shared' OR k.seconds >= p.target_hours * 3600)
    ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`;
});

// A new row version, because responses with its achievements are cached by it.
/** Locks the project and returns its owner; undefined if it was deleted. */
export const touchProject = maybeValue(
  'touch_awarded_project',
  { user_id: t.bigint },
  (id: number) => sql`UPDATE projects SET row_version = row_version WHERE id = ${t.bigint(id)} RETURNING user_id`,
);

/** The ids of those that a project has. */
export const listOfProject = values(
  'list_project_achievements',
  { id: t.integer },
  (projectId: number) => sql`
    SELECT e.achievement_id AS id FROM project_achievements e WHERE e.project_id = ${t.bigint(projectId)}`,
);

/** All achievements, and when the user earned them. */
export async function list(db: Executor, userId: number) {
  const earned = new Map((await listEarned(db, userId)).map(({ id, earned_at }) => [id, earned_at]));
  return requiredAmounts.map((required) => ({ ...required, earned_at: earned.get(required.id) ?? null }));
}
/** Returns the time zone of the user once the transactions that write sessions of the user have committed. */
export const waitForWriters = async (db: Executor, userId: number) =>
  (await waitForWritersStatement(db, userId)).zone ?? undefined;
