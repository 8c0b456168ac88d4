-- The first statement of every transaction of a signed-in user: rights hold when it commits, not only when its request was
-- admitted. It holds the shared side of a lock on the actor's rights; a transaction that takes rights away passes the users
-- in "changes" and holds the exclusive side. These locks come first and in id order, so that no two transactions deadlock.
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

  -- A statement of its own: it sees what was committed while the locks were waited for.
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
