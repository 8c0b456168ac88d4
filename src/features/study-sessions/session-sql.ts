import { type Parameter, type RowOf, type Sql, sql, t } from '../../db/sql/sql.ts';
import type { Reader } from '../projects/project-access.ts';
import { sessionSources } from './session-schemas.ts';

export const sessionColumns = {
  id: t.bigint,
  project_id: t.bigint,
  project_name: t.text,
  user_id: t.bigint,
  username: t.text,
  started_at: t.timestamptz,
  ended_at: t.timestamptz.orNull,
  duration_seconds: t.integer,
  note: t.text,
  source: t.oneOf(sessionSources),
  time_zone: t.text,
  auto_stopped: t.boolean,
  planned_minutes: t.integer.orNull,
  created_at: t.timestamptz,
  updated_at: t.timestamptz,
  row_version: t.bigint,
};
export type SessionRow = RowOf<typeof sessionColumns>;

export function selectSession({ seconds = sql`s.duration_seconds`, projectName = sql`p.name` } = {}): Sql {
  return sql`s.id, s.project_id, ${projectName} AS project_name, s.user_id,
    (SELECT u.username FROM users u WHERE u.id = s.user_id) AS username, s.started_at, s.ended_at,
    ${seconds} AS duration_seconds, s.note, s.source, s.time_zone, s.auto_stopped, s.planned_minutes,
    s.created_at, s.updated_at, s.row_version`;
}

/** SQL: whole seconds of a session `s`; of a running one, up to `now`. */
export const elapsedSeconds = (now: Parameter): Sql => sql`
  CASE WHEN s.ended_at IS NULL THEN greatest(0, floor(extract(epoch FROM ${now} - s.started_at)))::integer
    ELSE s.duration_seconds END`;

/** The `reader` of `shownProjectName`; null for administrators, who see current names. */
export function readerOf({ id, role }: Reader): Parameter {
  return t.bigint(role === 'admin' ? null : id);
}

/** SQL: the name of a project `p` for a reader; for a former member, the name when they left. */
export const shownProjectName = (reader: Parameter): Sql => sql`
  coalesce((SELECT e.project_name FROM project_membership_ends e
    WHERE e.user_id = ${reader} AND e.project_id = p.id), p.name)`;
