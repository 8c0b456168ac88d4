import type { Reader } from '../../../actor.ts';
import type { Executor } from '../../../db/executor.ts';
import { leftJoined, matched, type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { maybeOne } from '../../../db/statements.ts';
import { listVersion } from '../../../list-cache/list-cache.ts';
import {
  type Calendar,
  calendarParameters,
  statusChanges,
  studiedDays,
  studyDays,
  studyTotals,
} from '../calendar/study-days.ts';
import type { StudiedDays } from '../calendar/study-figures.ts';
import type { StatusChange } from '../calendar/study-runs.ts';
import { colorFor, visibleTo } from '../project-access/project-sql.ts';
import { type projectCategories, projectStatuses } from '../project-access/project-values.ts';
import {
  elapsedSeconds,
  readerOf,
  type SessionRow,
  selectSession,
  sessionColumns,
  shownProjectName,
} from '../study-sessions/session-sql.ts';

/** All times are in seconds. */
export type StudyTotals = StudiedDays & { sessions: number; seconds: number; longest: number; shortest: number };
export type ProjectTotals = StudyTotals & { changes: StatusChange[] };
type PersonalTotals = StudyTotals & {
  by_category: { category: (typeof projectCategories)[number]; seconds: number }[];
  by_project: {
    project_id: number;
    project_name: string;
    category: (typeof projectCategories)[number];
    color: number;
    seconds: number;
  }[];
};

const projectColumns = {
  user_id: t.bigint,
  status: t.oneOf(projectStatuses),
  progress: t.numeric,
  list: t.text,
  rows: t.bigint,
  /** When the current day ends; now, if a clock change within 24 hours could repeat it. */
  day_ends_at: t.timestamptz,
  /** True without a user. */
  user_exists: t.boolean,
  totals: t.json<ProjectTotals>().orNull,
};
/** `totals` is null if the reader may not see the project. */
export type ProjectStatistics = RowOf<typeof projectColumns>;

// Totals are computed only for readers who may see them.
/** Of a project, or of one user on it; undefined if there is no such project. */
export const readProject = maybeOne(
  'read_project_statistics',
  projectColumns,
  (reader: Reader, projectId: number, calendar: Calendar, userId: number | null) => {
    const id = t.bigint(projectId);
    const parameters = calendarParameters(calendar);
    const ofUser = userId === null ? sql`` : sql` AND s.user_id = ${t.bigint(userId)}`;
    return sql`
      WITH ${studyDays(sql`s.project_id = ${id}${ofUser}`, parameters)}
      SELECT p.user_id, p.status, p.progress, p.row_version AS rows,
        (SELECT ${listVersion(t.boolean(reader.role !== 'user'), t.bigint(reader.id))}) AS list,
        (SELECT today.ends_at FROM today) AS day_ends_at,
        ${t.bigint(userId)} IS NULL OR EXISTS (SELECT FROM users u WHERE u.id = ${t.bigint(userId)}) AS user_exists,
        CASE WHEN ${visibleTo(reader)} THEN (
          SELECT json_build_object(${studyTotals}, ${studiedDays}, 'changes', ${statusChanges(id, parameters)})
            FROM totals t, today) END AS totals
      FROM projects p
      WHERE p.id = ${id} AND p.deleted_at IS NULL`;
  },
);

const personalColumns = { totals: t.json<PersonalTotals>(), completion_rate: t.numeric };
/** The totals of a user, and their running timer. */
export type PersonalStatistics = RowOf<typeof personalColumns> & { timer: SessionRow | undefined };

// Of the active projects with a target that the user owns or is assigned to, with equal weight.
const completionRate = (userId: Sql) => sql`
  (SELECT coalesce(round(avg(p.progress), 2), 0) FROM projects p
   WHERE p.status = 'active' AND p.target_hours > 0 AND p.deleted_at IS NULL AND p.id IN (
     SELECT own.id FROM projects own WHERE own.user_id = ${userId} AND own.deleted_at IS NULL
     UNION SELECT a.project_id FROM project_assignments a WHERE a.user_id = ${userId}))`;

const readUserStatement = maybeOne(
  'read_user_statistics',
  { ...personalColumns, ...leftJoined(sessionColumns) },
  (reader: Reader, userId: number, calendar: Calendar) => {
    const id = sql`${t.bigint(userId)}`;
    const parameters = calendarParameters(calendar);
    return sql`
      WITH ${studyDays(sql`s.user_id = ${id}`, parameters)},
      by_project AS MATERIALIZED (
        SELECT d.project_id, p.category, sum(d.seconds) AS seconds
        FROM started d JOIN projects p ON p.id = d.project_id GROUP BY d.project_id, p.category)
      SELECT ${selectSession({ seconds: elapsedSeconds(parameters.now) })}, ${completionRate(id)} AS completion_rate,
        json_build_object(${studyTotals}, ${studiedDays},
          'by_category', coalesce((
            SELECT json_agg(json_build_object('category', c.category, 'seconds', c.seconds)
              ORDER BY c.seconds DESC, c.category)
            FROM (SELECT b.category, sum(b.seconds) AS seconds FROM by_project b GROUP BY b.category) AS c), '[]'),
          'by_project', coalesce((
            SELECT json_agg(json_build_object('project_id', b.project_id,
              'project_name', ${shownProjectName(readerOf(reader))}, 'category', p.category, 'color', ${colorFor(id)},
              'seconds', b.seconds)
              ORDER BY b.seconds DESC, b.project_id)
            FROM (SELECT * FROM by_project ORDER BY seconds DESC, project_id LIMIT 20) AS b
            JOIN projects p ON p.id = b.project_id), '[]')) AS totals
      FROM totals t CROSS JOIN today CROSS JOIN users u
      LEFT JOIN study_sessions s ON s.user_id = u.id AND s.ended_at IS NULL
      LEFT JOIN projects p ON p.id = s.project_id
      WHERE u.id = ${id} AND u.deleted_at IS NULL`;
  },
);

/** Each read is one set-based statement. */
/** Of a user over all projects; undefined if there is no such user. */
export async function readUser(
  db: Executor,
  reader: Reader,
  userId: number,
  calendar: Calendar,
): Promise<PersonalStatistics | undefined> {
  const row = await readUserStatement(db, reader, userId, calendar);
  if (row === undefined) return undefined;
  const { totals, completion_rate } = row;
  return { totals, completion_rate, timer: matched(sessionColumns, row) };
}
