-- Cached lists are current while the user's list version is unchanged.
CREATE OR REPLACE FUNCTION users_add_list_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_list_versions (user_id) SELECT a.id FROM added a;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_add_list_version AFTER INSERT ON users
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION users_add_list_version();
