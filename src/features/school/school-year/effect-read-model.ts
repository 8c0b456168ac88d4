import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { many, one } from '../../../db/statements.ts';
import type { DayRanges } from '../../study/calendar/day-kinds.ts';
import { sinceGap, studiedDays, studyDays } from '../../study/calendar/study-days.ts';
import { dateOf, type StudiedDays } from '../../study/calendar/study-figures.ts';
import { joinGoal } from '../../study/goals/goal-sql.ts';
import type { GoalState } from '../../study/goals/goal-states.ts';
import { goalsOfRequested, ofRequested, requested } from '../progress/attention-sql.ts';
import { maxComputed } from '../progress/progress-schemas.ts';

const studentColumns = { user_id: t.bigint, zone: t.text, display_name: t.text };
export type Student = RowOf<typeof studentColumns>;

/** Active students, of these classes only if there are some; in the order of their names, and at most one more than is computed. */
export const listStudents = many(
  'list_students_of_days',
  studentColumns,
  (groupIds: readonly number[]) => sql`
    SELECT u.id AS user_id, u.timezone AS zone, u.display_name FROM users u
    WHERE u.role = 'user' AND u.status = 'active' AND u.deleted_at IS NULL
      AND (cardinality(${t.bigints(groupIds)}) = 0
        OR u.id IN (SELECT m.user_id FROM group_members m WHERE m.group_id = ANY (${t.bigints(groupIds)})))
    ORDER BY lower(u.display_name), u.id LIMIT ${t.integer(maxComputed + 1)}`,
);
/** An active person, as a list. */
export const listPerson = many(
  'list_person_of_days',
  studentColumns,
  (userId: number) => sql`
    SELECT u.id AS user_id, u.timezone AS zone, u.display_name FROM users u
    WHERE u.id = ${t.bigint(userId)} AND u.status = 'active' AND u.deleted_at IS NULL`,
);

/** A goal of a student, judged. */
export type JudgedGoal = {
  project_id: number;
  project_name: string;
  state: GoalState;
  target_seconds: number;
  current_seconds: number;
  days_left: number | null;
  weekly_goal_seconds: number | null;
};
const standingColumns = { user_id: t.bigint, studied: t.json<StudiedDays>(), goals: t.json<JudgedGoal[]>() };
export type StandingRow = RowOf<typeof standingColumns>;

/** What the days of the school decide of each student: the current streak and the goals. */
export const readStandingsOfDays = many(
  'read_standings_of_days',
  standingColumns,
  (students: readonly Student[], now: Date) => {
    const calendar = ofRequested(t.timestamptz(now));
    return sql`
      SELECT requested.user_id, figures.studied, figures.goals
      FROM ${requested(students)}
      CROSS JOIN LATERAL (
        WITH ${studyDays(sinceGap(calendar.user_id, calendar.now), calendar)}
        SELECT json_build_object(${studiedDays}) AS studied, coalesce((
          SELECT json_agg(json_build_object('project_id', p.id, 'project_name', p.name, 'state', goal.state,
            'target_seconds', goal.target_seconds, 'current_seconds', goal.current_seconds, 'days_left', goal.days_left,
            'weekly_goal_seconds', (p.weekly_goal_hours * 3600)::bigint) ORDER BY p.id)
          FROM ${goalsOfRequested}
          ${joinGoal(calendar.user_id, calendar)}
          WHERE goal.own AND goal.target_seconds > 0), '[]') AS goals
        FROM today) AS figures`;
  },
);

const daysText = (days: DayRanges): string =>
  `{${days.map(([first, last]) => `[${dateOf(first)},${dateOf(last)}]`).join()}}`;

/** The seconds of study of these students on days of theirs. */
export const readSecondsOn = one(
  'read_seconds_on_days',
  { seconds: t.bigint },
  (students: readonly (Student & { days: DayRanges })[], now: Date) => {
    const calendar = ofRequested(t.timestamptz(now));
    // A day begins at most 24 hours later or earlier than in UTC, and a record at most a day before the day.
    const isNear = sql`s.user_id = requested.user_id
      AND s.started_at >= lower(requested.days) - 2 AND s.started_at < upper(requested.days) + 2`;
    return sql`
      SELECT coalesce(sum(figures.seconds), 0)::bigint AS seconds
      FROM (
        SELECT r.user_id, r.zone, r.days::datemultirange AS days
        FROM unnest(${t.bigints(students.map((student) => student.user_id))}, ${t.texts(students.map(({ zone }) => zone))},
          ${t.texts(students.map(({ days }) => daysText(days)))}) AS r (user_id, zone, days)) AS requested
      CROSS JOIN LATERAL (
        WITH ${studyDays(isNear, calendar)}
        SELECT sum(d.seconds) AS seconds FROM studied d WHERE requested.days @> d.day) AS figures`;
  },
);
