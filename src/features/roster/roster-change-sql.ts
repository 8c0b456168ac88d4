import { empty, type RowOf, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import type { FieldError } from '../../errors.ts';
import { type RosterChange, rosterKinds } from './roster-plan.ts';
import type { ListRosterChanges } from './roster-schemas.ts';

const shownColumns = {
  total: t.bigint,
  ...{ row: t.integer, kind: t.oneOf(rosterKinds), user_id: t.bigint.orNull },
  ...{ username: t.text.orNull, display_name: t.text.orNull, changes: t.json<RosterChange[]>(), joins: t.texts },
  ...{ leaves: t.texts, settled: t.boolean, problem: t.json<FieldError>().orNull },
};
export type ShownRow = RowOf<typeof shownColumns>;
const conditions = {
  new: sql`r.kind = 'new'`,
  changed: sql`r.kind = 'existing' AND r.changes <> '[]'`,
  moved: sql`r.kind = 'existing' AND (r.joins <> '{}' OR r.leaves <> '{}')`,
  missing: sql`r.kind = 'missing'`,
  left_out: sql`r.kind = 'left_out'`,
  problem: sql`r.problem IS NOT NULL`,
} as const;
/** A page of the difference: rows that need nothing are not in it. */
export const listRosterRows = query(
  'list_roster_rows',
  shownColumns,
  (rosterId: number, { kind, page, limit }: ListRosterChanges) => sql`
    SELECT count(*) OVER () AS total, r.row, r.kind, r.user_id, coalesce(u.username, r.username) AS username,
      coalesce(u.display_name, r.display_name, u.username, r.username) AS display_name, r.changes, r.joins, r.leaves,
      r.settled, r.problem
    FROM roster_rows r LEFT JOIN users u ON u.id = r.user_id
    WHERE r.roster_id = ${t.bigint(rosterId)} AND r.kind IS NOT NULL
      AND (r.kind <> 'existing' OR r.changes <> '[]' OR r.joins <> '{}' OR r.leaves <> '{}' OR r.problem IS NOT NULL)
      ${kind === undefined ? empty : sql`AND ${conditions[kind]}`}
    ORDER BY r.row LIMIT ${t.bigint(limit)} OFFSET ${t.bigint((page - 1) * limit)}`,
);
