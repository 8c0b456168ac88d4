-- One audit log row per changed group and statement.
CREATE OR REPLACE FUNCTION audit_group_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM audit_add('group', ARRAY[c.group_id], CASE WHEN TG_OP = 'DELETE' THEN c.details END,
    CASE WHEN TG_OP = 'INSERT' THEN c.details END)
  FROM (
    SELECT m.group_id, jsonb_build_object('user_ids', jsonb_agg(m.user_id ORDER BY m.user_id)) AS details
    FROM changed m GROUP BY m.group_id) AS c;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER group_members_audit_added AFTER INSERT ON group_members
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_group_members();
CREATE OR REPLACE TRIGGER group_members_audit_removed AFTER DELETE ON group_members
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('studytrack.act', true) <> '') EXECUTE FUNCTION audit_group_members();
