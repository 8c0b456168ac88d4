import type { Knex } from 'knex';

/** Preferences of users. The defaults change nothing: days end at midnight, weeks begin on Monday, every day counts. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE users
      -- Whether anybody ever chose the time zone; until then it is the default.
      ADD COLUMN timezone_chosen boolean NOT NULL DEFAULT false,
      ADD COLUMN locale text CONSTRAINT users_locale_known CHECK (locale IN ('en', 'zh')),
      -- ISO weekdays: 1 is Monday, 7 is Sunday.
      ADD COLUMN week_start integer NOT NULL DEFAULT 1 CONSTRAINT users_week_start_known CHECK (week_start BETWEEN 1 AND 7),
      ADD COLUMN day_start_hour integer NOT NULL DEFAULT 0
        CONSTRAINT users_day_start_hour_known CHECK (day_start_hour BETWEEN 0 AND 6),
      -- Not all seven, or no streak would ever end.
      ADD COLUMN rest_weekdays integer[] NOT NULL DEFAULT '{}' CONSTRAINT users_rest_weekdays_known CHECK (
        rest_weekdays <@ '{1,2,3,4,5,6,7}' AND NOT rest_weekdays @> '{1,2,3,4,5,6,7}' AND cardinality(rest_weekdays) <= 6),
      ADD COLUMN daily_goal_minutes integer
        CONSTRAINT users_daily_goal_within_day CHECK (daily_goal_minutes BETWEEN 1 AND 1440);

    UPDATE users SET timezone_chosen = true WHERE timezone <> 'UTC';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE users
      DROP COLUMN timezone_chosen,
      DROP COLUMN locale,
      DROP COLUMN week_start,
      DROP COLUMN day_start_hour,
      DROP COLUMN rest_weekdays,
      DROP COLUMN daily_goal_minutes;
  `);
}
