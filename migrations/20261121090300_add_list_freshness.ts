import type { Knex } from 'knex';

/**
 * The two stamps by which a remembered list is known to be fresh: `row_version` says that what a project shows has
 * changed, a user's list version that the set, order or filters of the user's list have.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE projects ADD COLUMN row_version bigint NOT NULL DEFAULT 1;

    -- In a trigger, so that no statement can change a project and forget to say so.
    CREATE FUNCTION projects_touch() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.row_version := OLD.row_version + 1;
      NEW.updated_at := greatest(now()::timestamptz(3), OLD.updated_at);
      RETURN NEW;
    END $$;
    CREATE TRIGGER projects_touch BEFORE UPDATE ON projects FOR EACH ROW EXECUTE FUNCTION projects_touch();

    CREATE TABLE user_list_versions (
      user_id bigint CONSTRAINT user_list_versions_pkey PRIMARY KEY
              CONSTRAINT user_list_versions_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
      version bigint NOT NULL DEFAULT 1
    ) WITH (fillfactor = 50); -- rewritten often: room for the new row on the same page
    INSERT INTO user_list_versions (user_id) SELECT id FROM users;

    CREATE FUNCTION users_add_list_version() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_list_versions (user_id) SELECT a.id FROM added a;
      RETURN NULL;
    END $$;
    CREATE TRIGGER users_add_list_version AFTER INSERT ON users
      REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION users_add_list_version();
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER users_add_list_version ON users;
    DROP FUNCTION users_add_list_version();
    DROP TABLE user_list_versions;
    DROP TRIGGER projects_touch ON projects;
    DROP FUNCTION projects_touch();
    ALTER TABLE projects DROP COLUMN row_version;
  `);
}
