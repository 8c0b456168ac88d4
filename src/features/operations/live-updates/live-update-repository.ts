import { z } from 'zod';
import type { Executor } from '../../../db/executor.ts';
import { sql, t } from '../../../db/sql/sql.ts';
import { execute, many } from '../../../db/statements.ts';
import { queryInt } from '../../../http/fields.ts';
import { databaseRun } from '../../../list-cache/list-cache.ts';
import { isOpen } from '../../../transactions/rights.ts';
import { actingRole, studentsInScope } from '../../../transactions/scope-sql.ts';
import type { Topic } from './live-update-projection.ts';

const maxSeconds = 900;

export const eventsQuery = z.object({
  seconds: queryInt({ min: 0, max: maxSeconds })
    .default(maxSeconds)
    .meta({
      override: { type: 'integer', minimum: 0, maximum: maxSeconds, default: maxSeconds },
      description: 'The maximum duration of the response; never longer than a token is valid.',
    }),
});

export type Listener = { user_id: number; sign_in_id: string; topics: readonly Topic[] };
/** What has been read: everything that the snapshot of this run of the database server sees. */
export type ReadUntil = { run: string; snapshot: string };

// One statement for all listeners. A transaction is read once, when it has become visible, however late it commits. Also checks
// who may still be connected, like read_identities.
const readUpdates = many(
  'read_live_updates',
  { position: t.bigint, topics: t.texts, run: t.text, snapshot: t.text },
  (listeners: readonly Listener[], since: string | undefined) => {
    const userIds = t.bigints(listeners.map(({ user_id }) => user_id));
    const signInIds = t.uuids(listeners.map(({ sign_in_id }) => sign_in_id));
    const seen = sql`(SELECT ${t.text(since ?? null)}::pg_snapshot)`;
    return sql`
      WITH changes AS MATERIALIZED (
        SELECT DISTINCT l.user_id, l.topic FROM live_updates l
        WHERE l.changed_in >= pg_snapshot_xmin(${seen}) AND NOT pg_visible_in_snapshot(l.changed_in, ${seen}))
      SELECT requested.position, ${databaseRun} AS run, pg_current_snapshot()::text AS snapshot,
        ARRAY(SELECT DISTINCT c.topic FROM changes c WHERE c.user_id = u.id
          OR (c.user_id IS NULL AND ${actingRole} = 'admin')
          OR (c.topic = 'projects' AND ${actingRole} = 'class_admin' AND c.user_id IN (${studentsInScope(sql`u.id`)}))) AS topics
      FROM unnest((SELECT ${userIds}), (SELECT ${signInIds})) WITH ORDINALITY AS requested (user_id, sign_in_id, position)
      JOIN users u ON u.id = requested.user_id AND u.status = 'active'
      JOIN sign_ins s ON s.id = requested.sign_in_id AND s.user_id = u.id AND ${isOpen}`;
  },
);

const purgeUpdates = execute(
  'purge_live_updates',
  (seconds: number) => sql`
    DELETE FROM live_updates WHERE written_at < clock_timestamp() - make_interval(secs => ${t.integer(seconds)})`,
);

export function createLiveUpdateRepository(db: Executor) {
  return {
    /** The topics by the index of the listener, without those whose sign-in or account is no longer valid; undefined if all are. */
    async read(listeners: readonly Listener[], since: string | undefined) {
      const rows = await readUpdates(db, listeners, since);
      const topics = new Map(rows.map((row) => [row.position - 1, row.topics]));
      const [first] = rows;
      const until: ReadUntil | undefined = first && { run: first.run, snapshot: first.snapshot };
      return { topics, until };
    },
    /** Deletes what is older. */
    purge: (seconds: number) => purgeUpdates(db, seconds),
  };
}

export type LiveUpdateRepository = ReturnType<typeof createLiveUpdateRepository>;
