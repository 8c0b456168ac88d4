import type { Knex } from 'knex';

/**
 * Functions about days take the hour at which a day begins. Their files drop the ones without it in the transaction that
 * replaces their callers, so that sessions can be recorded all the while; only the way back needs a migration.
 */
export async function up(): Promise<void> {}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER IF EXISTS users_earn_streaks ON users;
    DROP FUNCTION IF EXISTS streak_steps(bigint, bigint, date, text, integer, integer[], bigint);
    DROP FUNCTION IF EXISTS was_studied(bigint, bigint, date, text, integer, bigint);
    DROP FUNCTION IF EXISTS project_pauses(bigint, text, integer);
    DROP FUNCTION IF EXISTS day_exists(date, text, integer);
    DROP FUNCTION IF EXISTS day_start(date, text, integer);
  `);
  await knex.raw(`
    CREATE OR REPLACE FUNCTION day_start(day date, zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
      SELECT CASE WHEN ((day::timestamp AT TIME ZONE zone - interval '1 hour') AT TIME ZONE zone)::date = day
        THEN day::timestamp AT TIME ZONE zone - interval '1 hour' ELSE day::timestamp AT TIME ZONE zone END
    $$;
    CREATE OR REPLACE FUNCTION project_pauses(of_project bigint, zone text)
    RETURNS TABLE (first_day date, last_day date) LANGUAGE sql STABLE AS $$
      SELECT pause.first_day, pause.last_day
      FROM (
        SELECT c.from_status, (c.changed_at AT TIME ZONE zone)::date AS first_day,
          (lead(c.changed_at) OVER (ORDER BY c.changed_at, c.id) AT TIME ZONE zone)::date AS last_day
        FROM project_status_changes c
        WHERE c.project_id = of_project AND 'active' IN (c.from_status, c.to_status)
      ) AS pause
      WHERE pause.from_status = 'active' AND pause.first_day IS DISTINCT FROM pause.last_day
    $$;
    CREATE OR REPLACE FUNCTION was_studied(of_user bigint, of_project bigint, day date, zone text, before_id bigint)
    RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE
      opens  timestamptz := day_start(day, zone);
      closes timestamptz := day_start(day + 1, zone);
    BEGIN
      IF of_user IS NOT NULL THEN
        RETURN EXISTS (
          SELECT FROM study_sessions s WHERE s.user_id = of_user AND s.started_at < closes
            AND s.started_at >= opens - interval '24 hours' AND s.ended_at > opens AND s.id < before_id);
      END IF;
      RETURN EXISTS (
        SELECT FROM study_sessions s WHERE s.project_id = of_project AND s.started_at < closes
          AND s.started_at >= opens - interval '24 hours' AND s.ended_at > opens AND s.id < before_id);
    END $$;
    CREATE OR REPLACE FUNCTION streak_steps(of_user bigint, of_project bigint, around date, zone text, before_id bigint)
    RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      paused  datemultirange := '{}';
      neutral datemultirange := '{}';
      length  integer := 1;
      day     date;
      step    integer;
    BEGIN
      -- Whatever the day is worth was given with its first record. By id, because of records inserted together, which
      -- all see each other, just one must be the first.
      IF was_studied(of_user, of_project, around, zone, before_id) THEN
        RETURN 0;
      END IF;
      IF EXISTS (SELECT FROM user_achievements a WHERE a.user_id = of_user AND a.achievement_id = 9)
        OR EXISTS (SELECT FROM project_achievements a WHERE a.project_id = of_project AND a.achievement_id = 9) THEN
        RETURN 0; -- the longest one was, and the others with it
      END IF;
      IF of_project IS NOT NULL THEN
        SELECT coalesce(range_agg(daterange(p.first_day, p.until, '()')), '{}'),
          coalesce(range_agg(daterange(p.first_day, p.until, '[]')), '{}')
        INTO paused, neutral
        FROM (SELECT first_day, coalesce(last_day, greatest(first_day, current_date) + 2) AS until
              FROM project_pauses(of_project, zone)) AS p;
        IF around <@ paused THEN RETURN 0; END IF;
      END IF;
      FOREACH step IN ARRAY ARRAY[-1, 1] LOOP
        day := around;
        WHILE length < 100 LOOP
          day := day + step;
          CONTINUE WHEN day <@ paused;
          IF was_studied(of_user, of_project, day, zone, 9223372036854775807) THEN
            length := length + 1;
          ELSE
            EXIT WHEN NOT day <@ neutral AND day_start(day, zone) < day_start(day + 1, zone);
          END IF;
        END LOOP;
      END LOOP;
      RETURN width_bucket(length, ARRAY[3, 7, 30, 100]);
    END $$;
  `);
}
