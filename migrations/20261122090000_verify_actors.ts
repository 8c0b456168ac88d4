import type { Knex } from 'knex';

/**
 * Rights hold when a write commits, not only when its request was admitted. Every transaction of a signed-in user begins
 * with `verify_actor`. It holds the shared side of a lock on the actor's rights; operations that take rights away name the users
 * in `changes` and hold the exclusive side. All these locks are taken first and in id order, so that no two transactions
 * deadlock over them, and none is waited for with a row locked.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION verify_actor(actor bigint, sign_in uuid, actor_role text, changes bigint[], act text) RETURNS void
    LANGUAGE plpgsql AS $$
    DECLARE
      -- The first key keeps these locks apart from all others.
      rights CONSTANT integer := 7246107;
      of_user bigint;
      present_role text;
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
      SELECT u.role INTO present_role
      FROM users u JOIN sign_ins s ON s.user_id = u.id
      WHERE u.id = actor AND u.status = 'active' AND s.id = sign_in AND s.revoked_at IS NULL;
      IF present_role IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'ZA401', MESSAGE = 'the actor is no longer signed in';
      ELSIF present_role <> actor_role THEN
        RAISE EXCEPTION USING ERRCODE = 'ZA403', MESSAGE = 'the actor no longer has this role';
      END IF;
      IF act IS NOT NULL THEN
        PERFORM set_config('studytrack.act', act, true);
      END IF;
    END $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP FUNCTION verify_actor(bigint, uuid, text, bigint[], text);
  `);
}
