-- A volatile plpgsql function has a new snapshot: it sees assignments that were committed while the calling statement waited for
-- the project's lock.
CREATE OR REPLACE FUNCTION is_assigned(to_project bigint, of_user bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RETURN EXISTS (SELECT FROM project_assignments a WHERE a.project_id = to_project AND a.user_id = of_user);
END $$;
