-- Adds an audit log row for the actor in the setting "studytrack.act", which verify_actor sets for administrators.
CREATE OR REPLACE FUNCTION audit_add(target_type text, target_ids bigint[], before jsonb, after jsonb) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO audit_log (actor_id, action, request_id, target_type, target_ids, before, after)
  SELECT (act ->> 'actor_id')::bigint, act ->> 'action', act ->> 'request_id', $1, $2, $3, $4
  FROM (SELECT current_setting('studytrack.act')::jsonb AS act) AS said
$$;
