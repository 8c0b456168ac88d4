import type { Knex } from 'knex';

/**
 * Numbers of records by day, and those of projects by month as well: a page of a long list is found in the days or months
 * it is in. Writers wait while what is there is counted; so their functions are replaced in the same transaction.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    LOCK TABLE study_sessions, projects IN SHARE ROW EXCLUSIVE MODE;

    CREATE TABLE session_counts (
      id      bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT session_counts_pkey PRIMARY KEY,
      day     date NOT NULL,
      running boolean NOT NULL,
      total   bigint NOT NULL
    ) WITH (fillfactor = 50);
    INSERT INTO session_counts (day, running, total)
    SELECT (started_at AT TIME ZONE 'UTC')::date, ended_at IS NULL, count(*) FROM study_sessions GROUP BY 1, 2;
    CREATE INDEX session_counts_key_idx ON session_counts (day, running);

    CREATE FUNCTION session_counts_add(moment timestamptz, is_running boolean, difference bigint) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE of_day date := (moment AT TIME ZONE 'UTC')::date;
    BEGIN
      UPDATE session_counts c SET total = c.total + difference WHERE c.id = (
        SELECT free.id FROM session_counts free WHERE free.day = of_day AND free.running = is_running
        LIMIT 1 FOR UPDATE SKIP LOCKED);
      IF NOT FOUND THEN
        INSERT INTO session_counts (day, running, total) VALUES (of_day, is_running, difference);
      END IF;
    END $$;
    CREATE FUNCTION study_sessions_count() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN PERFORM session_counts_add(OLD.started_at, OLD.ended_at IS NULL, -1); END IF;
      IF TG_OP <> 'DELETE' THEN PERFORM session_counts_add(NEW.started_at, NEW.ended_at IS NULL, 1); END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER study_sessions_count AFTER INSERT OR DELETE ON study_sessions FOR EACH ROW
      EXECUTE FUNCTION study_sessions_count();
    CREATE TRIGGER study_sessions_count_moved AFTER UPDATE OF started_at, ended_at ON study_sessions FOR EACH ROW
      WHEN ((OLD.started_at, OLD.ended_at IS NULL) IS DISTINCT FROM (NEW.started_at, NEW.ended_at IS NULL))
      EXECUTE FUNCTION study_sessions_count();

    TRUNCATE project_counts;
    ALTER TABLE project_counts ADD COLUMN month date NOT NULL;
    INSERT INTO project_counts (month, status, category, total)
    SELECT date_trunc('month', created_at AT TIME ZONE 'UTC')::date, status, category, count(*) FROM projects
    WHERE deleted_at IS NULL GROUP BY 1, 2, 3;
    DROP INDEX project_counts_key_idx;
    CREATE INDEX project_counts_key_idx ON project_counts (month, status, category);

    DROP FUNCTION project_counts_add(text, text, bigint);
    CREATE FUNCTION project_counts_add(moment timestamptz, of_status text, of_category text, difference bigint)
    RETURNS void LANGUAGE plpgsql AS $$
    DECLARE of_month date := date_trunc('month', moment AT TIME ZONE 'UTC');
    BEGIN
      UPDATE project_counts c SET total = c.total + difference WHERE c.id = (
        SELECT free.id FROM project_counts free
        WHERE free.month = of_month AND free.status = of_status AND free.category = of_category
        LIMIT 1 FOR UPDATE SKIP LOCKED);
      IF NOT FOUND THEN
        INSERT INTO project_counts (month, status, category, total) VALUES (of_month, of_status, of_category, difference);
      END IF;
    END $$;
    CREATE OR REPLACE FUNCTION projects_count_added() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE added record;
    BEGIN
      FOR added IN
        SELECT min(n.created_at) AS moment, n.status, n.category, count(*) AS number FROM new_rows n
        WHERE n.deleted_at IS NULL GROUP BY date_trunc('month', n.created_at AT TIME ZONE 'UTC'), n.status, n.category
      LOOP
        PERFORM project_counts_add(added.moment, added.status, added.category, added.number);
      END LOOP;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE FUNCTION projects_count_moved() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN
        PERFORM project_counts_add(OLD.created_at, OLD.status, OLD.category, -1);
      END IF;
      IF TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL THEN
        PERFORM project_counts_add(NEW.created_at, NEW.status, NEW.category, 1);
      END IF;
      RETURN NULL;
    END $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    LOCK TABLE study_sessions, projects IN SHARE ROW EXCLUSIVE MODE;
    DROP TRIGGER study_sessions_count ON study_sessions;
    DROP TRIGGER study_sessions_count_moved ON study_sessions;
    DROP FUNCTION study_sessions_count();
    DROP FUNCTION session_counts_add(timestamptz, boolean, bigint);
    DROP TABLE session_counts;

    TRUNCATE project_counts;
    DROP INDEX project_counts_key_idx;
    ALTER TABLE project_counts DROP COLUMN month;
    INSERT INTO project_counts (status, category, total)
    SELECT status, category, count(*) FROM projects WHERE deleted_at IS NULL GROUP BY 1, 2;
    CREATE INDEX project_counts_key_idx ON project_counts (status, category);

    DROP FUNCTION project_counts_add(timestamptz, text, text, bigint);
    CREATE FUNCTION project_counts_add(of_status text, of_category text, difference bigint) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE project_counts c SET total = c.total + difference WHERE c.id = (
        SELECT free.id FROM project_counts free WHERE free.status = of_status AND free.category = of_category
        LIMIT 1 FOR UPDATE SKIP LOCKED);
      IF NOT FOUND THEN
        INSERT INTO project_counts (status, category, total) VALUES (of_status, of_category, difference);
      END IF;
    END $$;
    CREATE OR REPLACE FUNCTION projects_count_added() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE added record;
    BEGIN
      FOR added IN
        SELECT n.status, n.category, count(*) AS number FROM new_rows n WHERE n.deleted_at IS NULL GROUP BY 1, 2 ORDER BY 1, 2
      LOOP
        PERFORM project_counts_add(added.status, added.category, added.number);
      END LOOP;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE FUNCTION projects_count_moved() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN PERFORM project_counts_add(OLD.status, OLD.category, -1); END IF;
      IF TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL THEN PERFORM project_counts_add(NEW.status, NEW.category, 1); END IF;
      RETURN NULL;
    END $$;
  `);
}
