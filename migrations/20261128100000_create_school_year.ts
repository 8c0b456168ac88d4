import type { Knex } from 'knex';

/** Terms, holidays and make-up days of a school, and days off of a person. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE terms (
      id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT terms_pkey PRIMARY KEY,
      name       text NOT NULL CONSTRAINT terms_name_length CHECK (char_length(name) BETWEEN 1 AND 50),
      first_day  date NOT NULL,
      last_day   date NOT NULL,
      CONSTRAINT terms_days CHECK (last_day BETWEEN first_day AND first_day + 365),
      CONSTRAINT terms_no_overlap EXCLUDE USING gist (daterange(first_day, last_day, '[]') WITH &&)
    );

    CREATE TABLE school_days (
      id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT school_days_pkey PRIMARY KEY,
      name       text NOT NULL CONSTRAINT school_days_name_length CHECK (char_length(name) BETWEEN 1 AND 50),
      first_day  date NOT NULL,
      last_day   date NOT NULL,
      kind       text NOT NULL CONSTRAINT school_days_kind_known CHECK (kind IN ('off', 'school_day')),
      -- Null: the whole school.
      group_id   bigint CONSTRAINT school_days_group_id_fkey REFERENCES groups (id) ON DELETE CASCADE,
      CONSTRAINT school_days_days CHECK (last_day BETWEEN first_day AND first_day + 365)
    );
    CREATE INDEX school_days_group_id_idx ON school_days (group_id, kind);
    COMMENT ON COLUMN school_days.group_id IS 'null: the whole school';

    CREATE TABLE days_off (
      id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT days_off_pkey PRIMARY KEY,
      user_id    bigint NOT NULL CONSTRAINT days_off_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      first_day  date NOT NULL,
      last_day   date NOT NULL,
      reason     text NOT NULL CONSTRAINT days_off_reason_length CHECK (char_length(reason) <= 100),
      -- The person, or an administrator.
      set_by     bigint NOT NULL CONSTRAINT days_off_set_by_fkey REFERENCES users (id),
      CONSTRAINT days_off_days CHECK (last_day BETWEEN first_day AND first_day + 365)
    );
    CREATE INDEX days_off_user_id_idx ON days_off (user_id, first_day);
    CREATE INDEX days_off_set_by_idx ON days_off (set_by);

    -- Writers of terms and of the days of the school change this row first: they wait for each other, and cached lists become stale.
    CREATE TABLE school_year (
      only_row boolean NOT NULL DEFAULT true CONSTRAINT school_year_pkey PRIMARY KEY
                 CONSTRAINT school_year_one_row CHECK (only_row),
      version  bigint NOT NULL DEFAULT 1
    );
    INSERT INTO school_year DEFAULT VALUES;

    -- Also of those that are removed together with their group.
    CREATE FUNCTION school_days_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE school_year SET version = version + 1;
      RETURN NULL;
    END $$;
    CREATE TRIGGER school_days_changed AFTER INSERT OR UPDATE OR DELETE ON school_days
      FOR EACH ROW EXECUTE FUNCTION school_days_changed();
  `);

  await knex.raw(`
    -- How many of the days from the first to the last are not off.
    CREATE FUNCTION days_on(days_off datemultirange, first_day date, last_day date) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN first_day > last_day THEN 0 ELSE last_day - first_day + 1 - (
        SELECT coalesce(sum(upper(r) - lower(r)), 0)::integer
        FROM unnest(days_off * datemultirange(daterange(first_day, last_day, '[]'))) AS r) END
    $$;

    -- The day from which on so many days up to the last one are not off.
    CREATE FUNCTION first_of_days_on(days_off datemultirange, last_day date, number integer) RETURNS date
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    DECLARE
      first_day date := last_day - number + 1;
      off daterange;
    BEGIN
      FOR off IN
        SELECT r FROM unnest(days_off * datemultirange(daterange(NULL, last_day, '[]'))) AS r ORDER BY r DESC
      LOOP
        EXIT WHEN upper(off) <= first_day;
        first_day := first_day - (upper(off) - lower(off));
      END LOOP;
      RETURN first_day;
    END $$;
  `);

  await knex.raw(`
    ALTER TABLE audit_log DROP CONSTRAINT audit_log_target_type_known;
    ALTER TABLE audit_log ADD CONSTRAINT audit_log_target_type_known CHECK (target_type IN
      ('user', 'project', 'assignment', 'contact_request', 'session', 'export', 'group', 'personal_token', 'webhook',
       'term', 'school_day'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DELETE FROM audit_log WHERE target_type IN ('term', 'school_day');
    ALTER TABLE audit_log DROP CONSTRAINT audit_log_target_type_known;
    ALTER TABLE audit_log ADD CONSTRAINT audit_log_target_type_known CHECK (target_type IN
      ('user', 'project', 'assignment', 'contact_request', 'session', 'export', 'group', 'personal_token', 'webhook'));
    DROP FUNCTION first_of_days_on, days_on;
    DROP TABLE school_days, days_off, terms, school_year;
    DROP FUNCTION school_days_changed;
  `);
}
