-- Updates groups.members_count, which also gives the group a new row version. Callers have locked the groups.
CREATE OR REPLACE FUNCTION group_members_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  step integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  UPDATE groups g SET members_count = g.members_count + step * d.number, updated_at = greatest(now(), g.updated_at)
  FROM (SELECT c.group_id, count(*) AS number FROM changed c GROUP BY c.group_id) AS d
  WHERE g.id = d.group_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER group_members_added AFTER INSERT ON group_members
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION group_members_changed();
CREATE OR REPLACE TRIGGER group_members_removed AFTER DELETE ON group_members
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION group_members_changed();
