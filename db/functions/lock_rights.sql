-- Without an actor, what verify_actor does for the users in its "changes": transactions of this user that are in progress
-- commit first, and later ones see that their rights are gone.
CREATE OR REPLACE FUNCTION lock_rights(user_id bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(7246107, ($1 % 2147483647)::integer)
$$;
