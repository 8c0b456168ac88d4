-- The first statement of every transaction of a signed-in user, whose rights must still be valid at the commit. It takes a shared lock
-- on the actor's rights; a transaction that revokes rights passes the users in "changes" and takes exclusive locks. These locks
-- are taken first and in id order, to prevent deadlocks.
CREATE OR REPLACE FUNCTION verify_actor(actor bigint, sign_in uuid, actor_role text, changes bigint[], act text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  -- The first key separates these locks from all others.
  rights CONSTANT integer := 7246107;
  of_user bigint;
  current_role_name text;
BEGIN
  IF changes = '{}' THEN -- nearly always
    PERFORM pg_advisory_xact_lock_shared(rights, (actor % 2147483647)::integer);
  ELSE
    FOR of_user IN SELECT DISTINCT u.id FROM unnest(changes || actor) AS u (id) ORDER BY u.id LOOP
      IF of_user = ANY (changes) THEN
        PERFORM pg_advisory_xact_lock(rights, (of_user % 2147483647)::integer);
      ELSE
        PERFORM pg_advisory_xact_lock_shared(rights, (of_user % 2147483647)::integer);
      END IF;
    END LOOP;
  END IF;

  -- A separate statement, which sees what was committed while this one waited for the locks.
  SELECT u.role INTO current_role_name
  FROM users u JOIN sign_ins s ON s.user_id = u.id
  WHERE u.id = actor AND u.status = 'active' AND s.id = sign_in AND s.revoked_at IS NULL;
  IF current_role_name IS NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'ZA401', MESSAGE = 'the actor is no longer signed in';
  ELSIF current_role_name <> actor_role THEN
    RAISE EXCEPTION USING ERRCODE = 'ZA403', MESSAGE = 'the actor no longer has this role';
  END IF;
  IF act IS NOT NULL THEN
    PERFORM set_config('studytrack.act', act, true);
  END IF;
END $$;
