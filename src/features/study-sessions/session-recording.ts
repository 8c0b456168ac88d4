import { byPosition, type Executor } from '../../db/executor.ts';
import { leftJoined, matched, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { ConflictError, NotFoundError, PermissionDeniedError } from '../../errors.ts';
import type { Store } from '../../store.ts';
import { createWriteBatch, type WriteRequest } from '../auth/write-batch.ts';
import type { Reader } from '../projects/project-access.ts';
import { isAssignedNow, visibleTo } from '../projects/project-sql.ts';
import { type CreatedSession, recordCreated } from './session-events.ts';
import { type FoundSession, recordedColumns } from './session-repository.ts';
import { identifyOverlap, overlapError } from './session-rules.ts';
import type { NewSession } from './session-schemas.ts';
import { selectSession } from './session-sql.ts';

/** The author's rights are verified. */
export type NewRecord = { author: Reader; time_zone: string; project_id: number; session: NewSession };
const author = { id: sql`r.user_id`, isAdmin: sql`r.role = 'admin'` };

// Lock order: authors, sorted by the caller, before projects in id order. Waiting for the projects lets the statement see their latest
// state. Of two sessions that overlap, also within the statement, the constraint lets the first pass.
const recordSessions = query(
  'record_sessions',
  { position: t.bigint, visible: t.boolean, active: t.boolean, ...leftJoined(recordedColumns) },
  (records: readonly NewRecord[]) => {
    const times = (of: (session: NewSession) => Date) =>
      t.timestamptzs(records.map(({ session }) => of(session).toISOString()));
    return sql`
      WITH requested AS MATERIALIZED (
        SELECT r.*, nextval('study_sessions_id_seq') AS session_id
        FROM unnest((SELECT ${t.bigints(records.map(({ author }) => author.id))}),
          (SELECT ${t.texts(records.map(({ author }) => author.role))}),
          (SELECT ${t.bigints(records.map(({ project_id }) => project_id))}),
          (SELECT ${times((session) => session.started_at)}), (SELECT ${times((session) => session.ended_at)}),
          (SELECT ${t.texts(records.map(({ session }) => session.note))}),
          (SELECT ${t.texts(records.map(({ time_zone }) => time_zone))}))
          WITH ORDINALITY AS r (user_id, role, project_id, started_at, ended_at, note, time_zone, position)),
      authors AS MATERIALIZED (
        SELECT u.id FROM users u WHERE u.id IN (SELECT r.user_id FROM requested r) ORDER BY u.id FOR KEY SHARE),
      projects AS MATERIALIZED (
        SELECT p.id, p.name, p.user_id, p.status FROM projects p
        WHERE p.id IN (SELECT r.project_id FROM requested r) AND p.deleted_at IS NULL AND (SELECT count(*) FROM authors) > 0
        ORDER BY p.id FOR NO KEY UPDATE),
      verdict AS MATERIALIZED (
        SELECT r.*, p.id, p.name, p.user_id AS owner_id, ${visibleTo(author, isAssignedNow)} AS visible,
          CASE WHEN p.status = 'active' THEN true ELSE project_was_active(p.id, r.started_at) END AS active
        FROM requested r JOIN projects p ON p.id = r.project_id),
      added AS (
        INSERT INTO study_sessions
          (id, project_id, owner_id, user_id, started_at, ended_at, note, source, time_zone)
        OVERRIDING SYSTEM VALUE
        SELECT v.session_id, v.project_id, v.owner_id, v.user_id, v.started_at, v.ended_at, v.note, 'manual', v.time_zone
        FROM verdict v WHERE v.visible AND v.active ORDER BY v.position
        ON CONFLICT DO NOTHING RETURNING *)
      SELECT p.position, p.visible, p.active, ${selectSession()}, s.owner_id
      FROM verdict p LEFT JOIN added s ON s.id = p.session_id`;
  },
);

type Recorded = Awaited<ReturnType<typeof insertSessions>>[number];

/** Inserts those whose project is visible and active, and which overlap nothing; undefined if there is no such project. */
export async function insertSessions(db: Executor, records: readonly NewRecord[]) {
  const rows = byPosition(records, await db.many(recordSessions(records)));
  return rows.map((row) => row && { visible: row.visible, active: row.active, session: matched(recordedColumns, row) });
}

/** Records together the sessions that arrive at the same time. */
export function createSessionRecording(store: Store) {
  const record = createWriteBatch(store, async (tx, requests: readonly WriteRequest<NewRecord>[]) => {
    const recorded = await insertSessions(
      tx.executor,
      requests.map(({ input }) => input),
    );
    const outputs: (FoundSession | Error)[] = [];
    const created: CreatedSession[] = [];
    for (const [index, { actor }] of requests.entries()) {
      const { session } = recorded[index] ?? {};
      outputs.push(session ?? whyNotRecorded(recorded[index]));
      if (session !== undefined) created.push({ session, by: actor.context });
    }
    await recordCreated(tx, created);
    return outputs;
  });
  return async (request: WriteRequest<NewRecord>): Promise<FoundSession> => {
    try {
      return await record(request);
    } catch (error) {
      const { author, session } = request.input;
      throw await identifyOverlap(error, () => store.sessions.findOverlap(author.id, session));
    }
  };
}

/** An overlap is identified after the transaction, which holds locks that other callers need. */
function whyNotRecorded(recorded: Recorded | undefined): Error {
  if (recorded === undefined) return new NotFoundError('project_not_found');
  if (!recorded.visible) return new PermissionDeniedError('project_not_visible');
  if (!recorded.active) return new ConflictError('PROJECT_NOT_ACTIVE', 'project_not_active');
  return overlapError(undefined);
}
