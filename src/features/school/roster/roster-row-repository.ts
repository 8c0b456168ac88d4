import { roles, userStatuses } from '../../../actor.ts';
import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { changes, execute, many, maybeOne } from '../../../db/statements.ts';
import type { FieldError } from '../../../texts/errors.ts';
import type { RosterRow } from './file/roster-row.ts';
import { type RosterChange, type RosterPlan, rosterKinds } from './roster-plan.ts';

/** While it compares: a comparison that has outlived its lease must not change what another process applies. */
const isChecking = (rosterId: number) => sql`
  EXISTS (SELECT FROM rosters o WHERE o.id = ${t.bigint(rosterId)} AND o.state = 'checking' FOR SHARE)`;

export const stage = execute(
  'stage_roster_rows',
  (rosterId: number, rows: readonly RosterRow[]) => sql`
    INSERT INTO roster_rows (roster_id, row, username, email, display_name, external_id, group_names)
    SELECT ${t.bigint(rosterId)}, d.row, d.username, d.email, d.display_name, d.external_id, d.group_names
    FROM jsonb_to_recordset(${t.jsonb(JSON.stringify(rows))})
      AS d (row integer, username text, email text, display_name text, external_id text, group_names text[])`,
);

// The planner has no statistics about new rows.
export const analyze = execute('analyze_roster_rows', () => sql`ANALYZE roster_rows`);

const given = {
  row: t.integer,
  username: t.text.orNull,
  email: t.text.orNull,
  display_name: t.text.orNull,
  external_id: t.text.orNull,
  group_names: t.texts.orNull,
};
const matchColumns = {
  ...given,
  by_external_id: t.bigint.orNull,
  by_email: t.bigint.orNull,
  by_username: t.bigint.orNull,
  user_id: t.bigint.orNull,
  user_username: t.text.orNull,
  user_email: t.text.orNull,
  user_display_name: t.text.orNull,
  role: t.oneOf(roles).orNull,
  status: t.oneOf(userStatuses).orNull,
  is_known: t.boolean,
  known_external_id: t.text.orNull,
  deactivated: t.boolean.orNull,
  groups: t.texts,
  roster_groups: t.texts,
};
export type MatchedRow = RowOf<typeof matchColumns>;
const nameOfGroup = sql`(SELECT g.name FROM groups g WHERE g.id = m.group_id)`;

// A page of rows at a time, each with the accounts that its names find, by an index: the planner expects a tenth of all rows.
export const match = many(
  'match_roster_rows',
  matchColumns,
  (rosterId: number, after: number, limit: number) => sql`
    SELECT r.row, r.username, r.email, r.display_name, r.external_id, r.group_names, r.by_external_id, r.by_email,
      r.by_username, u.id AS user_id, u.username AS user_username, u.email AS user_email,
      u.display_name AS user_display_name, u.role, u.status, k.user_id IS NOT NULL AS is_known,
      k.external_id AS known_external_id, k.deactivated,
      ARRAY(SELECT ${nameOfGroup} FROM group_members m WHERE m.user_id = u.id) AS groups,
      ARRAY(SELECT ${nameOfGroup} FROM group_members m WHERE m.user_id = u.id AND m.group_id = ANY(k.group_ids))
        AS roster_groups
    FROM (
      SELECT w.*,
        (SELECT a.user_id FROM roster_accounts a WHERE a.external_id = w.external_id) AS by_external_id,
        (SELECT e.id FROM users e WHERE lower(e.email) = lower(w.email)) AS by_email,
        (SELECT n.id FROM users n WHERE lower(n.username) = lower(w.username) AND n.deleted_at IS NULL) AS by_username
      FROM roster_rows w
      WHERE w.roster_id = ${t.bigint(rosterId)} AND w.row > ${t.integer(after)}
        AND w.kind IS DISTINCT FROM 'missing'
      ORDER BY w.row LIMIT ${t.integer(limit)}) AS r
    LEFT JOIN LATERAL (
      SELECT u.* FROM users u WHERE u.id = coalesce(r.by_external_id, r.by_email, r.by_username) OFFSET 0) AS u ON true
    LEFT JOIN roster_accounts k ON k.user_id = u.id
    ORDER BY r.row`,
);

export const savePlans = execute(
  'save_roster_plans',
  (rosterId: number, plans: readonly RosterPlan[]) => sql`
    UPDATE roster_rows r SET kind = p.kind, user_id = p.user_id, changes = p.changes, joins = p.joins, leaves = p.leaves,
      settled = p.settled
    FROM jsonb_to_recordset(${t.jsonb(JSON.stringify(plans))})
      AS p (row integer, kind text, user_id bigint, changes jsonb, joins text[], leaves text[], settled boolean)
    WHERE r.roster_id = ${t.bigint(rosterId)} AND r.row = p.row AND ${isChecking(rosterId)}`,
);

// Rows of different names that find the same account.
export const listSameAccounts = many(
  'list_rows_of_same_account',
  { row: t.integer, other_row: t.integer },
  (rosterId: number) => sql`
    SELECT s.row, s.first_row AS other_row FROM (
      SELECT r.row, min(r.row) OVER (PARTITION BY r.user_id) AS first_row FROM roster_rows r
      WHERE r.roster_id = ${t.bigint(rosterId)} AND r.user_id IS NOT NULL) AS s
    WHERE s.row > s.first_row ORDER BY s.row LIMIT 100`,
);
export const deleteMissing = execute(
  'delete_missing_roster_rows',
  (rosterId: number) => sql`
    DELETE FROM roster_rows r WHERE r.roster_id = ${t.bigint(rosterId)} AND r.kind = 'missing' AND ${isChecking(rosterId)}`,
);
/** Active accounts that an earlier roster has named and this one does not. */
export const addMissing = execute(
  'add_missing_roster_rows',
  (rosterId: number, settled: boolean) => sql`
    INSERT INTO roster_rows (roster_id, row, kind, user_id, settled, changes)
    SELECT ${t.bigint(rosterId)},
      (SELECT coalesce(max(w.row), 0) FROM roster_rows w WHERE w.roster_id = ${t.bigint(rosterId)})
        + (row_number() OVER (ORDER BY u.id))::integer,
      'missing', u.id, ${t.boolean(settled)}, ${t.jsonb('[]')}
    FROM roster_accounts a JOIN users u ON u.id = a.user_id
    WHERE ${isChecking(rosterId)} AND u.status = 'active' AND u.role = 'user' AND NOT EXISTS (
      SELECT FROM roster_rows w WHERE w.roster_id = ${t.bigint(rosterId)} AND w.user_id = u.id)`,
);
const pendingColumns = {
  ...given,
  kind: t.oneOf(rosterKinds),
  user_id: t.bigint.orNull,
  changes: t.json<RosterChange[]>(),
};
export type PendingRow = RowOf<typeof pendingColumns>;
export const findPending = maybeOne(
  'find_pending_roster_row',
  pendingColumns,
  (rosterId: number) => sql`
    SELECT r.row, r.username, r.email, r.display_name, r.external_id, r.group_names, r.kind, r.user_id, r.changes
    FROM roster_rows r WHERE r.roster_id = ${t.bigint(rosterId)} AND NOT r.settled ORDER BY r.row LIMIT 1`,
);
// The condition is checked again after a wait: a row is applied once.
/** Returns false if it has been applied. */
export const claim = changes(
  'claim_roster_row',
  (rosterId: number, row: number) => sql`
    UPDATE roster_rows r SET settled = true
    WHERE r.roster_id = ${t.bigint(rosterId)} AND r.row = ${t.integer(row)} AND NOT r.settled`,
);
/** Of a row that was claimed; it counts as processed. Returns false if the roster has ended. */
export const setResult = changes(
  'set_result_of_roster_row',
  (rosterId: number, row: number, userId: number | null, problem: FieldError | null) => sql`
    WITH done AS (
      UPDATE roster_rows r SET user_id = coalesce(${t.bigint(userId)}, r.user_id),
        problem = ${t.jsonb(problem && JSON.stringify(problem))}
      WHERE r.roster_id = ${t.bigint(rosterId)} AND r.row = ${t.integer(row)})
    UPDATE rosters SET processed = processed + 1, problems = problems + ${t.integer(problem === null ? 0 : 1)}
    WHERE id = ${t.bigint(rosterId)} AND state = 'writing'`,
);
