import { sql, t } from '../../../db/sql/sql.ts';
import type { DomainEvent } from '../../../events.ts';
import type { Projection } from '../../../transactions/event-writer.ts';
import { lastTurn } from '../../operations/background-work/background-job-repository.ts';
import { awardKind } from './award-kind.ts';

/** Whose calendar changed: these users, the members of a group, or everybody. `group_id`: only if the group has days of its own. */
type Whose = { user_ids?: readonly number[]; group_id?: number; everybody?: boolean };
type Recalculated = Whose & { sender: number | null };

function recalculatedBy(event: DomainEvent, deleted: ReadonlySet<number>): Whose[] {
  switch (event.type) {
    case 'days_off.changed':
      return [{ user_ids: [event.user_id] }];
    case 'group.members_changed':
      return [deleted.has(event.id) ? { user_ids: event.user_ids } : { user_ids: event.user_ids, group_id: event.id }];
    case 'school_days.changed':
      return event.changes
        .flatMap(({ before, after }) => [before, after])
        .filter((entry) => entry !== null)
        .map(({ group_id }) => (group_id === null ? { everybody: true } : { group_id }));
    default:
      return [];
  }
}

/**
 * Jobs that award what the records of users earn by changed days off, due at once by any clock. As those of a changed
 * preference, they are merged while they wait, and locked so that none of them runs before the commit. `sender`: who
 * changed the days, with whose other jobs they take turns.
 */
export const recalculations: Projection<Recalculated> = {
  rows(events) {
    const deleted = new Set(events.flatMap((event) => (event.type === 'group.deleted' ? [event.group.id] : [])));
    const rows = events.flatMap((event) =>
      recalculatedBy(event, deleted).map((row) => ({ ...row, sender: event.by?.actor_id ?? null })),
    );
    const ofAll = rows.find((row) => row.everybody);
    return ofAll === undefined ? rows : [ofAll];
  },
  insert(rows) {
    const kind = sql`${t.text(awardKind)}`;
    const sender = sql`${t.bigint(rows[0]?.sender ?? null)}::bigint`;
    return sql`
  recalculations AS (
    INSERT INTO background_jobs AS j (kind, queue, ordering_key, merge_key, sender, turn, payload, created_at, next_at)
    SELECT ${kind}, '', 'user:' || k.user_id, 'user:' || k.user_id, ${sender},
      ${lastTurn(kind, sql`''`, sender)} + row_number() OVER (ORDER BY k.user_id),
      jsonb_build_object('user_id', k.user_id, 'project_ids', '[]'::jsonb), now(), 'epoch'
    FROM user_study_totals k
    WHERE EXISTS (
      SELECT FROM jsonb_to_recordset(${t.jsonb(JSON.stringify(rows))}) AS r (user_ids bigint[], group_id bigint, everybody boolean)
      WHERE r.everybody OR CASE WHEN r.user_ids IS NULL
        THEN k.user_id IN (SELECT m.user_id FROM group_members m WHERE m.group_id = r.group_id)
        ELSE k.user_id = ANY (r.user_ids)
          AND (r.group_id IS NULL OR EXISTS (SELECT FROM school_days e WHERE e.group_id = r.group_id)) END)
    ORDER BY k.user_id
    ON CONFLICT (kind, merge_key) WHERE merge_key IS NOT NULL DO UPDATE SET payload = j.payload)`;
  },
};
