-- For changes of rights without an actor, like verify_actor's "changes": the user's running transactions commit first, and later
-- ones see the change.
CREATE OR REPLACE FUNCTION lock_rights(user_id bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(7246107, ($1 % 2147483647)::integer)
$$;
