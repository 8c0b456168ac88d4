-- A deleted project has no assignments; former_user_ids stores them for restoring it.
CREATE OR REPLACE FUNCTION projects_trashed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.former_user_ids := ARRAY(
    SELECT a.user_id FROM project_assignments a WHERE a.project_id = NEW.id ORDER BY a.position, a.id);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER projects_trashed BEFORE UPDATE OF deleted_at ON projects FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION projects_trashed();

CREATE OR REPLACE FUNCTION projects_unassign_trashed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM project_assignments WHERE project_id = NEW.id;
  INSERT INTO sync_deletions (user_id, item_type, item_id) VALUES (NEW.user_id, 'project', NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER projects_unassign_trashed AFTER UPDATE OF deleted_at ON projects FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION projects_unassign_trashed();

-- Reverting an import removes the projects that it created.
CREATE OR REPLACE FUNCTION projects_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sync_deletions (user_id, item_type, item_id) SELECT o.user_id, 'project', o.id FROM old_rows o
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER projects_removed AFTER DELETE ON projects
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION projects_removed();
