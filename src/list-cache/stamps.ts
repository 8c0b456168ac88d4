import { type Interpolation, type Sql, sql } from '../db/sql/sql.ts';

/** The list version and the sum of row versions that a page was read with. A cached page is current while both are unchanged. */
export type Stamp = { list: string; rows: number };

/** Changes when the server starts or recovers, after which it may reuse transaction ids. */
const serverStart = sql`concat_ws(' ', pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time())`;

/** Unique to this database until its server starts or recovers. */
export const databaseRun: Sql = sql`concat_ws(' ', ${serverStart}, current_database(),
  (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()))`;

/** Unique to a state of the database. The snapshot alone is not: after a crash or failover, lost transaction ids are reused. */
const databaseState = sql`concat_ws(' ', pg_current_snapshot(), ${serverStart})`;

/** `list` of a stamp; for administrators, who see every project, the state of the database. */
export function listVersion(isAdmin: Interpolation, userId: Interpolation): Sql {
  return sql`CASE WHEN ${isAdmin} THEN ${databaseState}
    ELSE concat_ws(' ', coalesce((SELECT v.version FROM user_list_versions v WHERE v.user_id = ${userId}), 0),
      pg_postmaster_start_time()) END`;
}

export function rowVersions(projectIds: Sql): Sql {
  return sql`coalesce((SELECT sum(p.row_version) FROM projects p WHERE p.id = ANY (${projectIds})), 0)::bigint`;
}
