import { type Executor, sql } from '../../db/database.ts';
import type { Actor } from '../auth/identity.ts';
import { elapsedSeconds, readerOf, sessionJson, shownProjectName } from '../study-sessions/session-json.ts';
import { hours, runAt, statisticsFields, studyDays, studyRuns } from './study-days-sql.ts';

// While a project is not active, its streak stands as it stood on the day the project left that state. Of projects from
// before such changes were kept the day is not known: there it is the last one studied on.
const projectStreakDay = `
  CASE WHEN p.status = 'active' THEN today.day
    ELSE coalesce((SELECT u.first_day FROM pauses u WHERE u.last_day IS NULL), (SELECT max(s.day) FROM studied s)) END`;

// A statement each, so that both conditions find their index. The figures are only computed for those who may see them.
const readProject = (condition: string) =>
  sql(`
  WITH ${studyDays(condition)},
  pauses AS MATERIALIZED (SELECT u.first_day, u.last_day FROM project_pauses($1, $2) u),
  ${studyRuns('pauses')}
  SELECT p.user_id, CASE WHEN $6::boolean OR p.user_id = $5 OR EXISTS (
      SELECT FROM project_assignments a WHERE a.project_id = p.id AND a.user_id = $5)
    THEN (
      SELECT json_build_object(${statisticsFields(
        runAt(`(${projectStreakDay})`),
        "CASE WHEN p.status = 'completed' THEN 100 ELSE trim_scale(p.progress) END",
      )})::text
      FROM totals t, today) END AS json
  FROM projects p
  WHERE p.id = $1 AND p.deleted_at IS NULL`);

const readProjectOfAll = readProject('s.project_id = $1');
const readProjectOfUser = readProject('s.project_id = $1 AND s.user_id = $7');

// Goals are those of the active projects that a person owns or is assigned to; each counts the same.
const completionRateOfUser = `
  (SELECT coalesce(trim_scale(round(avg(p.progress), 2)), 0) FROM projects p
   WHERE p.status = 'active' AND p.target_hours > 0 AND p.deleted_at IS NULL AND p.id IN (
     SELECT own.id FROM projects own WHERE own.user_id = $1 AND own.deleted_at IS NULL
     UNION SELECT a.project_id FROM project_assignments a WHERE a.user_id = $1))`;

const readUser = sql(`
  WITH ${studyDays('s.user_id = $1')},
  no_pauses AS (SELECT NULL::date AS first_day, NULL::date AS last_day WHERE false),
  ${studyRuns('no_pauses')},
  by_project AS MATERIALIZED (
    SELECT d.project_id, p.category, sum(d.seconds) AS seconds
    FROM started d JOIN projects p ON p.id = d.project_id GROUP BY d.project_id, p.category)
  SELECT json_build_object(${statisticsFields(runAt('today.day'), completionRateOfUser)},
    'today_hours', ${hours('coalesce((SELECT s.seconds FROM studied s WHERE s.day = today.day), 0)')},
    'week_hours', ${hours('coalesce((SELECT w.seconds FROM weeks w WHERE w.number = today.week), 0)')},
    'daily', (
      SELECT json_agg(json_build_object('date', n.day, 'hours', ${hours('coalesce(s.seconds, 0)')}) ORDER BY n.day)
      FROM (SELECT today.day - ago AS day FROM generate_series(0, 370) AS ago) AS n
      LEFT JOIN studied s ON s.day = n.day),
    'by_category', coalesce((
      SELECT json_agg(json_build_object('category', c.category, 'hours', ${hours('c.seconds')})
        ORDER BY c.seconds DESC, c.category)
      FROM (SELECT b.category, sum(b.seconds) AS seconds FROM by_project b GROUP BY b.category) AS c), '[]'),
    'by_project', coalesce((
      SELECT json_agg(json_build_object('project_id', b.project_id, 'project_name', ${shownProjectName('$5::bigint')},
        'hours', ${hours('b.seconds')})
        ORDER BY b.seconds DESC, b.project_id)
      FROM (SELECT * FROM by_project ORDER BY seconds DESC, project_id LIMIT 20) AS b
      JOIN projects p ON p.id = b.project_id), '[]'),
    'running_timer', (
      SELECT ${sessionJson(elapsedSeconds('$3'))}::json FROM study_sessions s JOIN projects p ON p.id = s.project_id
      WHERE s.user_id = $1 AND s.ended_at IS NULL))::text AS json
  FROM users u, totals t, today
  WHERE u.id = $1 AND u.deleted_at IS NULL`);

const findTimeZone = sql('SELECT coalesce(known_time_zone($1), known_time_zone($2)) AS zone');

/** Where and when the reader counts: a zone that the database knows, the present moment, how many weeks to show. */
export type Calendar = { zone: string; now: Date; weeks: number };

/** Figures as JSON text; null where the reader may not see the project. */
export type ProjectFigures = { user_id: number; json: string | null };

/** Each page of statistics in one set-based statement. */
export function createStatisticsReadModel(db: Executor) {
  return {
    /** A project's figures, or with `userId` those of one user on it; undefined when there is no such project. */
    async readProject(
      actor: Actor,
      projectId: number,
      { zone, now, weeks }: Calendar,
      userId: number | null,
    ): Promise<ProjectFigures | undefined> {
      const values = [projectId, zone, now, weeks, actor.id, actor.role === 'admin'];
      const [row] = await (userId === null
        ? db.rows<ProjectFigures>(readProjectOfAll, values)
        : db.rows<ProjectFigures>(readProjectOfUser, [...values, userId]));
      return row;
    },

    /** A person's figures over all projects; undefined when there is no such user. */
    async readUser(actor: Actor, userId: number, { zone, now, weeks }: Calendar): Promise<string | undefined> {
      const [row] = await db.rows<{ json: string }>(readUser, [userId, zone, now, weeks, readerOf(actor)]);
      return row?.json;
    },

    /** The first of two names of a time zone that the database knows. */
    async findTimeZone(name: string, otherName: string): Promise<string | undefined> {
      const [row] = await db.rows<{ zone: string | null }>(findTimeZone, [name, otherName]);
      return row?.zone ?? undefined;
    },
  };
}

export type StatisticsReadModel = ReturnType<typeof createStatisticsReadModel>;
