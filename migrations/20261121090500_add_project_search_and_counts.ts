import type { Knex } from 'knex';

/** What keeps the administrators' list quick among a million projects: an index over pairs of characters, and kept totals. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Pairs, not trigrams: most Chinese words have two characters. lower() depends on the locale of the database, which
    -- never changes, so the function may call itself immutable.
    CREATE FUNCTION character_pairs(content text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT coalesce(array_agg(DISTINCT c.list[i] || c.list[i + 1]), '{}')
      FROM (SELECT string_to_array(lower(content), NULL) AS list) AS c, generate_series(1, cardinality(c.list) - 1) AS i
    $$;

    -- What is searched stands in a table of its own, for projects that are not in the trash: a study record rewrites its
    -- project's row, and must not pay for this index.
    CREATE TABLE project_search (
      project_id bigint CONSTRAINT project_search_pkey PRIMARY KEY
                 CONSTRAINT project_search_project_id_fkey REFERENCES projects (id) ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL,
      content    text NOT NULL
    );
    CREATE INDEX project_search_pairs_idx ON project_search USING gin (character_pairs(content));

    CREATE FUNCTION projects_search_added() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO project_search (project_id, created_at, content)
      SELECT n.id, n.created_at, lower(n.name || E'\n' || n.description) FROM new_rows n WHERE n.deleted_at IS NULL;
      RETURN NULL;
    END $$;
    CREATE TRIGGER projects_search_added AFTER INSERT ON projects
      REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION projects_search_added();

    CREATE FUNCTION projects_search_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.deleted_at IS NOT NULL THEN
        DELETE FROM project_search WHERE project_id = NEW.id;
      ELSE
        INSERT INTO project_search (project_id, created_at, content)
        VALUES (NEW.id, NEW.created_at, lower(NEW.name || E'\n' || NEW.description))
        ON CONFLICT (project_id) DO UPDATE SET content = excluded.content;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER projects_search_changed AFTER UPDATE OF name, description, deleted_at ON projects FOR EACH ROW
      WHEN ((OLD.name, OLD.description, OLD.deleted_at) IS DISTINCT FROM (NEW.name, NEW.description, NEW.deleted_at))
      EXECUTE FUNCTION projects_search_changed();

    INSERT INTO project_search (project_id, created_at, content)
    SELECT id, created_at, lower(name || E'\n' || description) FROM projects WHERE deleted_at IS NULL;

    -- How many projects there are by status and category. Each combination is spread over as many rows as there were
    -- writers at once: a writer takes any row that nobody holds, so it neither waits nor deadlocks, and the sum is exact.
    CREATE TABLE project_counts (
      id       bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT project_counts_pkey PRIMARY KEY,
      status   text NOT NULL,
      category text NOT NULL,
      total    bigint NOT NULL
    ) WITH (fillfactor = 50);
    CREATE INDEX project_counts_key_idx ON project_counts (status, category);

    CREATE FUNCTION project_counts_add(of_status text, of_category text, difference bigint) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE project_counts c SET total = c.total + difference WHERE c.id = (
        SELECT free.id FROM project_counts free WHERE free.status = of_status AND free.category = of_category
        LIMIT 1 FOR UPDATE SKIP LOCKED);
      IF NOT FOUND THEN
        INSERT INTO project_counts (status, category, total) VALUES (of_status, of_category, difference);
      END IF;
    END $$;

    CREATE FUNCTION projects_count_added() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE added record;
    BEGIN
      FOR added IN
        SELECT n.status, n.category, count(*) AS number FROM new_rows n WHERE n.deleted_at IS NULL GROUP BY 1, 2 ORDER BY 1, 2
      LOOP
        PERFORM project_counts_add(added.status, added.category, added.number);
      END LOOP;
      RETURN NULL;
    END $$;
    CREATE TRIGGER projects_count_added AFTER INSERT ON projects
      REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION projects_count_added();

    CREATE FUNCTION projects_count_moved() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN PERFORM project_counts_add(OLD.status, OLD.category, -1); END IF;
      IF TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL THEN PERFORM project_counts_add(NEW.status, NEW.category, 1); END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER projects_count_moved AFTER UPDATE OF status, category, deleted_at ON projects FOR EACH ROW
      WHEN ((OLD.status, OLD.category, OLD.deleted_at IS NULL) IS DISTINCT FROM (NEW.status, NEW.category, NEW.deleted_at IS NULL))
      EXECUTE FUNCTION projects_count_moved();
    CREATE TRIGGER projects_count_removed AFTER DELETE ON projects FOR EACH ROW EXECUTE FUNCTION projects_count_moved();

    INSERT INTO project_counts (status, category, total)
    SELECT status, category, count(*) FROM projects WHERE deleted_at IS NULL GROUP BY 1, 2;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER projects_count_removed ON projects;
    DROP TRIGGER projects_count_moved ON projects;
    DROP FUNCTION projects_count_moved();
    DROP TRIGGER projects_count_added ON projects;
    DROP FUNCTION projects_count_added();
    DROP FUNCTION project_counts_add(text, text, bigint);
    DROP TABLE project_counts;
    DROP TRIGGER projects_search_changed ON projects;
    DROP FUNCTION projects_search_changed();
    DROP TRIGGER projects_search_added ON projects;
    DROP FUNCTION projects_search_added();
    DROP TABLE project_search;
    DROP FUNCTION character_pairs(text);
  `);
}
