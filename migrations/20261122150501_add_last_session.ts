import type { Knex } from 'knex';

/** The end of each user's latest finished session, kept like their total: administrators sort by it and filter on it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE user_study_totals ADD COLUMN last_session_at timestamptz(3);
    UPDATE user_study_totals t SET last_session_at = s.ended_at
    FROM (SELECT user_id, max(ended_at) AS ended_at FROM study_sessions GROUP BY user_id) AS s
    WHERE s.user_id = t.user_id AND s.ended_at IS NOT NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  // The function of the time before: older migrations write sessions, too.
  await knex.raw(`
    CREATE OR REPLACE FUNCTION user_study_totals_follow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        UPDATE user_study_totals t SET seconds = t.seconds + d.seconds
        FROM (SELECT n.user_id, sum(n.duration_seconds) AS seconds FROM new_rows n GROUP BY n.user_id) AS d
        WHERE t.user_id = d.user_id AND d.seconds <> 0;
      ELSIF TG_OP = 'DELETE' THEN
        UPDATE user_study_totals t SET seconds = t.seconds - d.seconds
        FROM (SELECT o.user_id, sum(o.duration_seconds) AS seconds FROM old_rows o GROUP BY o.user_id) AS d
        WHERE t.user_id = d.user_id AND d.seconds <> 0;
      ELSE
        UPDATE user_study_totals t SET seconds = t.seconds + d.seconds
        FROM (SELECT n.user_id, sum(n.duration_seconds - o.duration_seconds) AS seconds
              FROM new_rows n JOIN old_rows o ON o.id = n.id GROUP BY n.user_id) AS d
        WHERE t.user_id = d.user_id AND d.seconds <> 0;
      END IF;
      RETURN NULL;
    END $$;
    ALTER TABLE user_study_totals DROP COLUMN last_session_at;
  `);
}
