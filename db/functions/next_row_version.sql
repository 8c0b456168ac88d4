-- The current time in milliseconds, but greater than the previous version. Versions are therefore not reused after a point-in-time
-- recovery, a restore, or a failover that lost writes.
CREATE OR REPLACE FUNCTION next_row_version(previous bigint) RETURNS bigint LANGUAGE sql AS
  'SELECT greatest(previous + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)';
