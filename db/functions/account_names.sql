-- A transaction that creates many accounts locks many unique keys, and could deadlock with others that wait for one of them. It
-- takes this lock exclusively; all others that write a name share it.
CREATE OR REPLACE FUNCTION lock_account_names() RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(7246108)
$$;

CREATE OR REPLACE FUNCTION users_share_account_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7246108);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_share_account_names BEFORE INSERT OR UPDATE OF username, email ON users
  FOR EACH STATEMENT EXECUTE FUNCTION users_share_account_names();
