-- The version of a row after a change: the present time in milliseconds, and more than the version before. So no version is
-- assigned again when the database is recovered to an earlier time, restored, or replaced by a standby that lacks writes.
CREATE OR REPLACE FUNCTION next_row_version(previous bigint) RETURNS bigint LANGUAGE sql AS
  'SELECT greatest(previous + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)';
