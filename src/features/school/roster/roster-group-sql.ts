import { sql, t } from '../../../db/sql/sql.ts';
import { query } from '../../../db/sql/statement.ts';

/** The groups that the rows of a roster name, with the first row of each. */
const groupsOf = (rosterId: number) => sql`
  (SELECT min(n.name) AS name, count(*) AS members, min(r.row) AS row
   FROM roster_rows r CROSS JOIN LATERAL unnest(r.group_names) AS n (name)
   WHERE r.roster_id = ${t.bigint(rosterId)} AND r.kind <> 'left_out' GROUP BY lower(n.name)) AS d`;

export const listLargeGroups = query(
  'list_large_groups_of_roster',
  { name: t.text, members: t.bigint, row: t.integer },
  (rosterId: number, members: number) => sql`
    SELECT d.name, d.members, d.row FROM ${groupsOf(rosterId)} WHERE d.members > ${t.integer(members)}
    ORDER BY d.row LIMIT 100`,
);

export const listGroupNames = query(
  'list_group_names_of_roster',
  { name: t.text },
  (rosterId: number) => sql`SELECT d.name FROM ${groupsOf(rosterId)}`,
);

export const listNewGroups = query(
  'list_new_groups_of_roster',
  { name: t.text, row: t.integer },
  (rosterId: number, limit: number) => sql`
    SELECT d.name, d.row FROM ${groupsOf(rosterId)}
    WHERE NOT EXISTS (SELECT FROM groups g WHERE lower(g.name) = lower(d.name))
    ORDER BY lower(d.name) LIMIT ${t.integer(limit)}`,
);
