import type { Executor } from '../../../db/executor.ts';
import { empty, type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { many, one, values } from '../../../db/statements.ts';
import type { FieldError } from '../../../texts/errors.ts';
import { type RosterChange, rosterKinds } from './roster-plan.ts';
import type { ListRosterChanges } from './roster-schemas.ts';

const shownColumns = {
  total: t.bigint,
  row: t.integer,
  kind: t.oneOf(rosterKinds),
  user_id: t.bigint.orNull,
  username: t.text.orNull,
  display_name: t.text.orNull,
  changes: t.json<RosterChange[]>(),
  joins: t.texts,
  leaves: t.texts,
  settled: t.boolean,
  problem: t.json<FieldError>().orNull,
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
/** Of a file that has a column of groups. */
const withoutGroups = sql`r.kind IN ('new', 'existing') AND r.group_names = '{}'`;
const needsNothing = sql`r.kind = 'existing' AND r.changes = '[]' AND r.joins = '{}' AND r.leaves = '{}'`;
const shown = (rosterId: number, kind: ListRosterChanges['kind']) => sql`
  r.roster_id = ${t.bigint(rosterId)} AND r.kind IS NOT NULL AND (NOT (${needsNothing}) OR r.problem IS NOT NULL)
  ${kind === undefined ? empty : sql`AND ${conditions[kind]}`}`;

const counted = { new: t.bigint, changed: t.bigint, moved: t.bigint, missing: t.bigint, left_out: t.bigint };
export const count = one(
  'count_roster_rows',
  { ...counted, unchanged: t.bigint, without_groups: t.bigint },
  (rosterId: number) => sql`
    SELECT count(*) FILTER (WHERE ${conditions.new}) AS new, count(*) FILTER (WHERE ${conditions.changed}) AS changed,
      count(*) FILTER (WHERE ${conditions.moved}) AS moved, count(*) FILTER (WHERE ${conditions.missing}) AS missing,
      count(*) FILTER (WHERE ${conditions.left_out}) AS left_out, count(*) FILTER (WHERE ${needsNothing}) AS unchanged,
      count(*) FILTER (WHERE ${withoutGroups}) AS without_groups
    FROM roster_rows r WHERE r.roster_id = ${t.bigint(rosterId)}`,
);
const countShown = one(
  'count_shown_roster_rows',
  { total: t.bigint },
  (rosterId: number, { kind }: ListRosterChanges) => sql`
    SELECT count(*) AS total FROM roster_rows r WHERE ${shown(rosterId, kind)}`,
);
const listShown = many(
  'list_roster_rows',
  shownColumns,
  (rosterId: number, { kind, page, limit }: ListRosterChanges) => sql`
    SELECT count(*) OVER () AS total, r.row, r.kind, r.user_id, coalesce(u.username, r.username) AS username,
      coalesce(u.display_name, r.display_name, u.username, r.username) AS display_name, r.changes, r.joins, r.leaves,
      r.settled, r.problem
    FROM roster_rows r LEFT JOIN users u ON u.id = r.user_id
    WHERE ${shown(rosterId, kind)}
    ORDER BY r.row LIMIT ${t.bigint(limit)} OFFSET ${t.bigint((page - 1) * limit)}`,
);
/** A page of the difference: rows that need nothing are not in it. */
export async function list(db: Executor, rosterId: number, filter: ListRosterChanges) {
  const changes = await listShown(db, rosterId, filter);
  const { total } = changes[0] ?? (await countShown(db, rosterId, filter)); // past the end
  return { changes, total };
}

/** The groups that the rows of a roster name, with the first row of each. */
const groupsOf = (rosterId: number) => sql`
  (SELECT min(n.name) AS name, count(*) AS members, min(r.row) AS row
   FROM roster_rows r CROSS JOIN LATERAL unnest(r.group_names) AS n (name)
   WHERE r.roster_id = ${t.bigint(rosterId)} AND r.kind <> 'left_out' GROUP BY lower(n.name)) AS d`;

/** The groups of more than so many of its rows. */
export const listLargeGroups = many(
  'list_large_groups_of_roster',
  { name: t.text, members: t.bigint, row: t.integer },
  (rosterId: number, members: number) => sql`
    SELECT d.name, d.members, d.row FROM ${groupsOf(rosterId)} WHERE d.members > ${t.integer(members)}
    ORDER BY d.row LIMIT 100`,
);

export const listGroupNames = values(
  'list_group_names_of_roster',
  { name: t.text },
  (rosterId: number) => sql`SELECT d.name FROM ${groupsOf(rosterId)}`,
);

/** Those of its groups that do not exist. */
export const listNewGroups = many(
  'list_new_groups_of_roster',
  { name: t.text, row: t.integer },
  (rosterId: number, limit: number) => sql`
    SELECT d.name, d.row FROM ${groupsOf(rosterId)}
    WHERE NOT EXISTS (SELECT FROM groups g WHERE lower(g.name) = lower(d.name))
    ORDER BY lower(d.name) LIMIT ${t.integer(limit)}`,
);
