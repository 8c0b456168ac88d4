import { type Interpolation, type Sql, sql } from '../db/sql/sql.ts';

/**
 * The state that a reader's list of projects was read in: the version of the list, and the sum of the row versions of the
 * projects on the page. A cached page is current while both are equal to what the database has.
 */
export type Stamp = { list: string; rows: number };

/** SQL: a text that changes whenever the server starts or recovers; from then on, transaction ids may be assigned again. */
const serverStart = sql`concat_ws(' ', pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time())`;

/** SQL: a text that no other database has, and this one only until its server starts or recovers. */
export const databaseRun: Sql = sql`concat_ws(' ', ${serverStart}, current_database(),
  (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()))`;

/**
 * SQL: a text that no two states of the database share. The snapshot changes with every commit; but a server that crashed
 * assigns the transaction ids again that it had not written to its log, and so does a standby that takes over. Hence the
 * times of the server's start and of its last recovery.
 */
const databaseState = sql`concat_ws(' ', pg_current_snapshot(), ${serverStart})`;

/** SQL: `list` of a reader's stamp; for administrators, who see every project, the state of the database. */
export function listVersion(isAdmin: Interpolation, userId: Interpolation): Sql {
  return sql`CASE WHEN ${isAdmin} THEN ${databaseState}
    ELSE (SELECT concat_ws(' ', v.version, pg_postmaster_start_time()) FROM user_list_versions v WHERE v.user_id = ${userId}) END`;
}

/** SQL: `rows` of a stamp for the projects with these ids. */
export function rowVersions(projectIds: Sql): Sql {
  return sql`coalesce((SELECT sum(p.row_version) FROM projects p WHERE p.id = ANY (${projectIds})), 0)::bigint`;
}
