-- Events project.* and goal.reached. Sessions change the project's hours without such an event: they have their own events.
CREATE OR REPLACE FUNCTION webhook_project(p projects) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('id', p.id, 'name', p.name, 'description', p.description, 'status', p.status, 'category', p.category,
    'target_hours', p.target_hours, 'current_hours', p.current_hours, 'progress', p.progress,
    'rating_standard', p.rating_standard, 'due_date', p.due_date, 'weekly_goal_hours', p.weekly_goal_hours, 'image', p.image,
    'user_id', p.user_id, 'created_at', webhook_moment(p.created_at), 'updated_at', webhook_moment(p.updated_at))
$$;

-- Argument: the type, where it does not follow from the operation. The columns are compared here, because a trigger condition is
-- initialized for each statement, which for many columns takes as long as the rest of the trigger.
CREATE OR REPLACE FUNCTION projects_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  type text := TG_ARGV[0];
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.deleted_at IS NULL THEN
      PERFORM add_webhook_events(ARRAY['project.deleted'], ARRAY['project:' || OLD.id], ARRAY[jsonb_build_object('id', OLD.id)]);
    END IF;
    RETURN NULL;
  END IF;
  IF type IS NULL THEN
    IF TG_OP = 'UPDATE' AND (OLD.user_id, OLD.name, OLD.description, OLD.status, OLD.category, OLD.target_hours, OLD.rating_standard,
        OLD.due_date, OLD.weekly_goal_hours, OLD.image, OLD.deleted_at)
      IS NOT DISTINCT FROM (NEW.user_id, NEW.name, NEW.description, NEW.status, NEW.category, NEW.target_hours, NEW.rating_standard,
        NEW.due_date, NEW.weekly_goal_hours, NEW.image, NEW.deleted_at) THEN
      RETURN NULL;
    END IF;
    type := CASE WHEN TG_OP = 'INSERT' THEN 'project.created'
      WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL THEN 'project.deleted'
      WHEN OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NULL THEN 'project.restored'
      ELSE 'project.updated' END;
  END IF;
  PERFORM add_webhook_events(ARRAY[type], ARRAY['project:' || NEW.id],
    ARRAY[CASE WHEN type = 'project.deleted' THEN jsonb_build_object('id', NEW.id) ELSE webhook_project(NEW) END]);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER projects_webhooks_created AFTER INSERT ON projects FOR EACH ROW
  WHEN (pg_sequence_last_value('webhooks_in_use'::regclass) IS NOT NULL) EXECUTE FUNCTION projects_webhooks();
CREATE OR REPLACE TRIGGER projects_webhooks_removed AFTER DELETE ON projects FOR EACH ROW
  WHEN (pg_sequence_last_value('webhooks_in_use'::regclass) IS NOT NULL) EXECUTE FUNCTION projects_webhooks();
CREATE OR REPLACE TRIGGER projects_webhooks_changed AFTER UPDATE OF
    user_id, name, description, status, category, target_hours, rating_standard, due_date, weekly_goal_hours, image, deleted_at
  ON projects FOR EACH ROW
  WHEN (pg_sequence_last_value('webhooks_in_use'::regclass) IS NOT NULL) EXECUTE FUNCTION projects_webhooks();
-- The name sorts after the one above, so that project.updated comes first.
CREATE OR REPLACE TRIGGER projects_webhooks_goal AFTER UPDATE OF current_seconds, target_hours ON projects FOR EACH ROW
  WHEN (NEW.progress = 100 AND OLD.progress < 100 AND NEW.deleted_at IS NULL)
  EXECUTE FUNCTION projects_webhooks('goal.reached');
