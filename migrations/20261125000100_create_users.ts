import type { Knex } from 'knex';

/** Accounts, and groups of users. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The form in which texts are searched: without case, width and accents, so that Ｍａｔｈ finds math and cafe finds café. Marks that
    -- make another letter, as in が, are kept. A change of the results needs a migration that rebuilds what is stored in this form.
    CREATE FUNCTION search_form(content text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    BEGIN
      IF octet_length(content) = char_length(content) THEN
        RETURN lower(content);
      END IF;
      content := lower(normalize(regexp_replace(normalize(content, NFKD), '[\\u0300-\\u036f]', '', 'g'), NFC));
      RETURN replace(replace(content, 'ς', 'σ'), 'ß', 'ss'); -- both are written Σ and SS in capitals
    END $$;
  `);

  await knex.raw(`
    -- For search indexes: pairs of characters of a text in its search form, not trigrams, because most Chinese words have two
    -- characters. Duplicates do not matter to an index. plpgsql caches the plan, while an SQL expression would be planned for every
    -- written row. The high cost makes the planner use an index instead of computing the pairs of every row. A change of the
    -- results needs a migration that rebuilds the indexes.
    CREATE FUNCTION character_pairs(content text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    COST 2000 AS $$
    BEGIN
      RETURN (
        SELECT coalesce(array_agg(pair.first || pair.second), '{}')
        FROM (SELECT string_to_array(content, NULL) AS list) AS c, unnest(c.list, c.list[2:]) AS pair (first, second)
        WHERE pair.second IS NOT NULL);
    END $$;
  `);

  await knex.raw(`
    CREATE TABLE users (
      id                  bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT users_pkey PRIMARY KEY,
      username            text NOT NULL CONSTRAINT users_username_format CHECK (username ~ '^[A-Za-z0-9_.-]{3,32}$'),
      email               text CONSTRAINT users_email_length CHECK (char_length(email) BETWEEN 3 AND 254),
      display_name        text NOT NULL CONSTRAINT users_display_name_length CHECK (char_length(display_name) BETWEEN 1 AND 50),
      role                text NOT NULL DEFAULT 'user' CONSTRAINT users_role_known CHECK (role IN ('admin', 'user')),
      status              text NOT NULL DEFAULT 'active' CONSTRAINT users_status_known CHECK (status IN ('active', 'inactive')),
      timezone            text NOT NULL DEFAULT 'UTC',
      password_hash       text,
      created_at          timestamptz(3) NOT NULL DEFAULT now(),
      updated_at          timestamptz(3) NOT NULL DEFAULT now(),
      -- Raised to end all sign-ins of the user at once, however many there are.
      sign_in_generation  bigint NOT NULL DEFAULT 0,
      last_login_at       timestamptz(3),
      -- The last use of sign-ins that were deleted since, or the activation of the account.
      last_used_at        timestamptz(3),
      deleted_at          timestamptz(3),
      -- False while the time zone is the default.
      timezone_chosen     boolean NOT NULL DEFAULT false,
      locale              text CONSTRAINT users_locale_known CHECK (locale IN ('en', 'zh', 'zh-Hant')),
      -- ISO weekdays: 1 is Monday, 7 is Sunday.
      week_start          integer NOT NULL DEFAULT 1 CONSTRAINT users_week_start_known CHECK (week_start BETWEEN 1 AND 7),
      day_start_hour      integer NOT NULL DEFAULT 0
                          CONSTRAINT users_day_start_hour_known CHECK (day_start_hour BETWEEN 0 AND 6),
      -- At most six, so that a streak can end.
      rest_weekdays       integer[] NOT NULL DEFAULT '{}' CONSTRAINT users_rest_weekdays_known CHECK (
                            rest_weekdays <@ '{1,2,3,4,5,6,7}' AND NOT rest_weekdays @> '{1,2,3,4,5,6,7}'
                            AND cardinality(rest_weekdays) <= 6),
      daily_goal_minutes  integer CONSTRAINT users_daily_goal_within_day CHECK (daily_goal_minutes BETWEEN 1 AND 1440),
      weekly_goal_minutes integer CONSTRAINT users_weekly_goal_within_week CHECK (weekly_goal_minutes BETWEEN 1 AND 10080),
      streak_reminder_hour integer CONSTRAINT users_streak_reminder_hour_known CHECK (streak_reminder_hour BETWEEN 0 AND 23),
      weekly_mail         boolean NOT NULL DEFAULT false,
      -- For administrators.
      new_request_mail    boolean NOT NULL DEFAULT false,
      -- Only for passwords that the service made.
      password_expires_at timestamptz(3),
      -- Encrypted by the service. In this table, so that one conditional UPDATE decides about each code.
      totp_secret         text,
      totp_enabled        boolean NOT NULL GENERATED ALWAYS AS (totp_secret IS NOT NULL) STORED,
      -- The time step of the last accepted code; neither that code nor older ones are accepted again.
      totp_last_step      bigint,
      -- Since the last accepted code.
      totp_wrong_codes    integer NOT NULL DEFAULT 0,
      -- Part of the identifiers in their calendar, which are unique over all installations.
      calendar_uid        uuid NOT NULL DEFAULT gen_random_uuid(),
      row_version         bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint,
      search_text         text NOT NULL
                          GENERATED ALWAYS AS (search_form(username || E'\\n' || coalesce(email, '') || E'\\n' || display_name)) STORED,
      -- A deleted account remains as an anonymous row, because study sessions refer to it.
      CONSTRAINT users_deleted_are_anonymous CHECK (
        deleted_at IS NULL OR (email IS NULL AND password_hash IS NULL AND status = 'inactive')),
      CONSTRAINT users_email_required CHECK (deleted_at IS NOT NULL OR email IS NOT NULL),
      CONSTRAINT users_password_expiry_of_password CHECK (password_expires_at IS NULL OR password_hash IS NOT NULL),
      CONSTRAINT users_totp_has_step CHECK (totp_secret IS NULL OR totp_last_step IS NOT NULL),
      CONSTRAINT users_deleted_without_totp CHECK (deleted_at IS NULL OR totp_secret IS NULL)
    );
    CREATE UNIQUE INDEX users_username_key ON users (lower(username));
    CREATE UNIQUE INDEX users_email_key ON users (lower(email));
    -- Finds the sign-ins that deleted accounts left behind.
    CREATE INDEX users_deleted_idx ON users (id) WHERE deleted_at IS NOT NULL;
    -- Counts ordinary users without reading the table.
    CREATE INDEX users_ordinary_idx ON users (id) INCLUDE (status) WHERE role = 'user' AND deleted_at IS NULL;
    -- Without statistics: with them, the planner reads the whole table for a common word, which is much slower.
    CREATE INDEX users_search_pairs_idx ON users USING gin (character_pairs(search_text));
    ALTER INDEX users_search_pairs_idx ALTER COLUMN 1 SET STATISTICS 0;

    -- The few who chose mails.
    CREATE INDEX users_reminded_idx ON users (id)
    WHERE (streak_reminder_hour IS NOT NULL OR weekly_mail) AND status = 'active';

    CREATE TABLE user_list_versions (
      user_id bigint CONSTRAINT user_list_versions_pkey PRIMARY KEY
              CONSTRAINT user_list_versions_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      version bigint NOT NULL DEFAULT 1
    ) WITH (fillfactor = 50); -- updated often: leaves space for the new row on the same page

    -- Groups of users, such as classes.
    CREATE TABLE groups (
      id            bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT groups_pkey PRIMARY KEY,
      name          text NOT NULL CONSTRAINT groups_name_length CHECK (char_length(name) BETWEEN 1 AND 50),
      -- The limit is that of users in one batch of assignments.
      members_count integer NOT NULL DEFAULT 0
                    CONSTRAINT groups_members_limited CHECK (members_count BETWEEN 0 AND 1000),
      created_at    timestamptz(3) NOT NULL DEFAULT now(),
      updated_at    timestamptz(3) NOT NULL DEFAULT now(),
      row_version   bigint NOT NULL DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
    );
    CREATE UNIQUE INDEX groups_name_key ON groups (lower(name));

    CREATE TABLE group_members (
      group_id bigint NOT NULL CONSTRAINT group_members_group_id_fkey REFERENCES groups (id) ON DELETE CASCADE,
      user_id  bigint NOT NULL CONSTRAINT group_members_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      added_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT group_members_pkey PRIMARY KEY (group_id, user_id)
    );
    CREATE INDEX group_members_user_id_idx ON group_members (user_id);
  `);

  await knex.raw(`
    -- A new version with every change, for If-Match and for cached rows; 'synchronized' rows also get the time and the transaction.
    -- A trigger covers every statement. The version is the current time in milliseconds, but greater than the previous one, so that
    -- versions are not reused after a point-in-time recovery, a restore, or a failover that lost writes.
    CREATE FUNCTION touch_row() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.row_version := greatest(OLD.row_version + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);
      IF TG_ARGV[0] = 'synchronized' THEN
        NEW.updated_at := greatest(now()::timestamptz(3), OLD.updated_at);
        NEW.changed_in := pg_current_xact_id();
      END IF;
      RETURN NEW;
    END $$;

    CREATE TRIGGER groups_row_version BEFORE UPDATE ON groups
      FOR EACH ROW EXECUTE FUNCTION touch_row();
    -- Only for columns that administrators edit.
    CREATE TRIGGER users_row_version BEFORE UPDATE OF username, email, display_name, role, status, timezone ON users
      FOR EACH ROW EXECUTE FUNCTION touch_row();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP FUNCTION touch_row CASCADE;
    DROP TABLE group_members, groups, user_list_versions, users;
    DROP FUNCTION character_pairs, search_form;
  `);
}
