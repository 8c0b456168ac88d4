/**
 * SQL: a text that no two states of the database share, so whatever was remembered under it still holds. The snapshot
 * changes with every commit; but a server that crashed gives the transaction ids out again which it had not written to
 * its log, and so does a standby that takes over. Hence the moments of the server's start and of its last recovery.
 */
export const stateOfDatabase = `concat_ws(' ', pg_current_snapshot(), pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time())`;
