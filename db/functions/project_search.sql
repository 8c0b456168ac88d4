-- The text of projects that are not deleted is in a separate table: a study session updates its project's row and must not update
-- the search index.
CREATE OR REPLACE FUNCTION projects_search_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO project_search (project_id, created_at, content)
  SELECT n.id, n.created_at, lower(n.name || E'\n' || n.description) FROM new_rows n WHERE n.deleted_at IS NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER projects_search_added AFTER INSERT ON projects
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION projects_search_added();

CREATE OR REPLACE FUNCTION projects_search_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE TRIGGER projects_search_changed AFTER UPDATE OF name, description, deleted_at ON projects FOR EACH ROW
  WHEN ((OLD.name, OLD.description, OLD.deleted_at) IS DISTINCT FROM (NEW.name, NEW.description, NEW.deleted_at))
  EXECUTE FUNCTION projects_search_changed();
