import { z } from 'zod';
import type { Executor } from '../../db/executor.ts';
import { sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import { queryInt } from '../../http/fields.ts';

export const topics = ['projects', 'sessions', 'timer', 'inbox'] as const;
type Topic = (typeof topics)[number];

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
/** A text per topic that changes with it. */
export type TopicVersions = Readonly<Record<Topic, string>>;

// One statement for all connected users. Each version takes a few index lookups: existing versions; the row of study
// totals, which finished records write (`xmin` is its last transaction); and for administrators the newest entry of
// the audit log. Also checks who may still be connected, like read_identities.
const readVersions = query(
  'read_event_stamps',
  { position: t.bigint, projects: t.text, sessions: t.text, timer: t.text, inbox: t.text },
  (listeners: readonly Listener[]) => {
    const userIds = t.bigints(listeners.map(({ user_id }) => user_id));
    const signInIds = t.uuids(listeners.map(({ sign_in_id }) => sign_in_id));
    return sql`
      SELECT requested.position,
        concat_ws(' ', (SELECT v.version FROM user_list_versions v WHERE v.user_id = u.id), admins.change) AS projects,
        concat_ws(' ',
          (SELECT k.xmin::text FROM user_study_totals k WHERE k.user_id = u.id),
          (SELECT s.changed_in FROM study_sessions s WHERE s.user_id = u.id
           ORDER BY s.changed_in DESC, s.id DESC LIMIT 1),
          (SELECT s.changed_in FROM study_sessions s WHERE s.owner_id = u.id AND s.owner_id <> s.user_id
           ORDER BY s.changed_in DESC, s.id DESC LIMIT 1),
          (SELECT d.changed_in FROM sync_deletions d WHERE d.user_id = u.id
           ORDER BY d.changed_in DESC, d.item_type DESC, d.item_id DESC LIMIT 1)) AS sessions,
        coalesce((SELECT s.id || ' ' || s.row_version FROM study_sessions s
          WHERE s.user_id = u.id AND s.ended_at IS NULL), '') AS timer,
        concat_ws(' ', admins.change, admins.request) AS inbox
      FROM unnest((SELECT ${userIds}), (SELECT ${signInIds})) WITH ORDINALITY AS requested (user_id, sign_in_id, position)
      JOIN users u ON u.id = requested.user_id AND u.status = 'active'
      JOIN sign_ins i ON i.id = requested.sign_in_id AND i.user_id = u.id AND i.revoked_at IS NULL
      LEFT JOIN (SELECT (SELECT max(a.id) FROM audit_log a) AS change, (SELECT max(c.id) FROM contact_requests c) AS request)
        AS admins ON u.role = 'admin'`;
  },
);

export function createEventReadModel(db: Executor) {
  return {
    /** By the index of the listener; omits those whose sign-in or account is no longer valid. */
    async readVersions(listeners: readonly Listener[]): Promise<Map<number, TopicVersions>> {
      const rows = await db.many(readVersions(listeners));
      return new Map(rows.map(({ position, ...versions }) => [position - 1, versions]));
    },
  };
}

export type EventReadModel = ReturnType<typeof createEventReadModel>;
