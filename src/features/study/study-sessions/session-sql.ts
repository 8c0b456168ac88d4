import type { Reader } from '../../../actor.ts';
import type { Executor } from '../../../db/executor.ts';
import {
  columnDefinitions,
  constant,
  leftJoined,
  matched,
  type Parameter,
  type ParameterTypes,
  type RowOf,
  type Sql,
  sql,
  t,
} from '../../../db/sql/sql.ts';
import { many } from '../../../db/statements.ts';
import type { WriteRequest } from '../../../transactions/write-batch.ts';
import { claimed, outputsOf, requested } from '../../../transactions/write-batch-sql.ts';
import { isAssignedNow, visibleTo } from '../project-access/project-sql.ts';
import { learnedFrom, tagsAsLearned } from '../tags/tag-sql.ts';
import { type NewSession, sessionSources } from './session-schemas.ts';

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
  tags: t.texts,
  source: t.oneOf(sessionSources),
  time_zone: t.text,
  auto_stopped: t.boolean,
  planned_minutes: t.integer.orNull,
  created_at: t.timestamptz,
  updated_at: t.timestamptz,
  row_version: t.bigint,
};
export type SessionRow = RowOf<typeof sessionColumns>;
export const recordedColumns = { ...sessionColumns, owner_id: t.bigint };
export type FoundSession = RowOf<typeof recordedColumns>;

/** Of a session that is changed or deleted. */
export const formerColumns = {
  id: t.bigint,
  project_id: t.bigint,
  user_id: t.bigint,
  owner_id: t.bigint,
  started_at: t.timestamptz,
  ended_at: t.timestamptz.orNull,
};

export function selectSession({ seconds = sql`s.duration_seconds`, projectName = sql`p.name` } = {}): Sql {
  return sql`s.id, s.project_id, ${projectName} AS project_name, s.user_id,
    (SELECT u.username FROM users u WHERE u.id = s.user_id) AS username, s.started_at, s.ended_at,
    ${seconds} AS duration_seconds, s.note, s.tags, s.source, s.time_zone, s.auto_stopped, s.planned_minutes,
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

/** Of a user: what one person can store is bounded. Concurrent requests may exceed it by their number. */
export const maxSessions = 500_000;

/** SQL: whether a user has the maximum of finished sessions. */
export const hasMostSessions = (user: Sql): Sql => sql`
  coalesce((SELECT k.sessions_count >= ${t.integer(maxSessions)} FROM user_study_totals k WHERE k.user_id = ${user}), false)`;

export type NewRecord = NewSession & {
  user_id: number;
  role: Reader['role'];
  project_id: number;
  time_zone: string;
};
const newTypes: ParameterTypes<NewRecord> = {
  user_id: t.bigint,
  role: t.text,
  project_id: t.bigint,
  started_at: t.timestamptz,
  ended_at: t.timestamptz,
  note: t.text,
  tags: t.texts,
  time_zone: t.text,
};
const batch = { input: columnDefinitions(newTypes), newId: sql`nextval('study_sessions_id_seq')` };
const author = { id: sql`r.user_id`, isAdmin: sql`r.role = 'admin'`, isLimited: sql`r.role = 'class_admin'` };
const isVisible = constant(visibleTo(author, isAssignedNow));
const recorded = constant(selectSession());
const learned = constant(
  learnedFrom(sql`SELECT j.user_id, unnest(j.tags) FROM judged j WHERE j.visible AND j.active AND NOT j.full`),
);
const learnedTags = constant(tagsAsLearned(sql`j.user_id`, sql`j.tags`));

const recordingColumns = {
  position: t.integer,
  verdict: t.text.orNull,
  visible: t.boolean.orNull,
  active: t.boolean.orNull,
  full: t.boolean.orNull,
  ...leftJoined(recordedColumns),
};
type NewRecords = readonly WriteRequest<NewRecord>[];
/** `visible` is null if there is no such project. */
export type Recording = Pick<RowOf<typeof recordingColumns>, 'visible' | 'active' | 'full'> & {
  session: FoundSession | undefined;
};

// Lock order: authors, sorted by the caller, before projects in id order. Waiting for the projects lets the statement see their latest
// state. Of two sessions that overlap, also within the statement, the constraint lets the first pass.
const recordSessions = many(
  'record_sessions',
  recordingColumns,
  (requests: NewRecords, alone: boolean) => sql`
    WITH ${requested(requests, { ...batch, alone })},
    accepted AS MATERIALIZED (SELECT * FROM requested r WHERE r.verdict IS NULL),
    authors AS MATERIALIZED (
      SELECT u.id FROM users u WHERE u.id IN (SELECT r.user_id FROM accepted r) ORDER BY u.id FOR KEY SHARE),
    projects AS MATERIALIZED (
      SELECT p.id, p.name, p.user_id, p.status FROM projects p
      WHERE p.id IN (SELECT r.project_id FROM accepted r) AND p.deleted_at IS NULL AND (SELECT count(*) FROM authors) > 0
      ORDER BY p.id FOR NO KEY UPDATE),
    judged AS MATERIALIZED (
      SELECT r.*, p.id, p.name, p.user_id AS owner_id, ${isVisible} AS visible,
        CASE WHEN p.status = 'active' THEN true ELSE project_was_active(p.id, r.started_at) END AS active,
        ${hasMostSessions(sql`r.user_id`)} AS full
      FROM accepted r JOIN projects p ON p.id = r.project_id),
    ${learned},
    created AS (
      INSERT INTO study_sessions
        (id, project_id, owner_id, user_id, started_at, ended_at, note, tags, source, time_zone)
      OVERRIDING SYSTEM VALUE
      SELECT j.new_id, j.project_id, j.owner_id, j.user_id, j.started_at, j.ended_at, j.note,
        ${learnedTags}, 'manual', j.time_zone
      FROM judged j WHERE j.visible AND j.active AND NOT j.full ORDER BY j.position
      ON CONFLICT DO NOTHING RETURNING *),
    ${claimed}
    SELECT r.position, r.verdict, p.visible, p.active, p.full,
      ${recorded}, s.owner_id
    FROM requested r LEFT JOIN judged p ON p.position = r.position LEFT JOIN created s ON s.id = r.new_id`,
);

/** Inserts those that may be recorded and overlap nothing, and returns for each what it knows about it. */
export async function recordAll(db: Executor, requests: NewRecords, alone: boolean) {
  const rows = await recordSessions(db, requests, alone);
  return outputsOf(requests, rows, (row): Recording => {
    const { visible, active, full } = row;
    return { visible, active, full, session: matched(recordedColumns, row) };
  });
}
