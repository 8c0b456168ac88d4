-- Event assignment.changed: one per project and statement, in order with the project's other events, because its row is locked. None
-- for a deleted project, which has project.deleted. At most 1,000 user ids.
CREATE OR REPLACE FUNCTION project_assignments_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_webhook_events(array_agg('assignment.changed'::text ORDER BY e.project_id),
    array_agg('project:' || e.project_id ORDER BY e.project_id), array_agg(e.data ORDER BY e.project_id))
  FROM (
    SELECT c.project_id, jsonb_build_object('project_id', c.project_id,
      'change', CASE TG_OP WHEN 'INSERT' THEN 'assigned' ELSE 'unassigned' END, 'users_count', count(*),
      'user_ids', to_jsonb((array_agg(c.user_id ORDER BY c.user_id))[:1000])) AS data
    FROM changed c JOIN projects p ON p.id = c.project_id AND p.deleted_at IS NULL
    GROUP BY c.project_id) AS e
  HAVING count(*) > 0;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER project_assignments_webhooks_added AFTER INSERT ON project_assignments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  WHEN (pg_sequence_last_value('webhooks_in_use'::regclass) IS NOT NULL)
  EXECUTE FUNCTION project_assignments_webhooks();
CREATE OR REPLACE TRIGGER project_assignments_webhooks_removed AFTER DELETE ON project_assignments
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  WHEN (pg_sequence_last_value('webhooks_in_use'::regclass) IS NOT NULL)
  EXECUTE FUNCTION project_assignments_webhooks();
