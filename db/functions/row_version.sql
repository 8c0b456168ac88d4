-- A new version with every change, for If-Match. A trigger covers every statement.
CREATE OR REPLACE FUNCTION take_row_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.row_version := next_row_version(OLD.row_version);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER groups_row_version BEFORE UPDATE ON groups
  FOR EACH ROW EXECUTE FUNCTION take_row_version();
-- Only for columns that administrators edit.
CREATE OR REPLACE TRIGGER users_row_version BEFORE UPDATE OF username, email, display_name, role, status, timezone ON users
  FOR EACH ROW EXECUTE FUNCTION take_row_version();
CREATE OR REPLACE TRIGGER contact_requests_row_version BEFORE UPDATE ON contact_requests
  FOR EACH ROW EXECUTE FUNCTION take_row_version();
-- Not for deliveries.
CREATE OR REPLACE TRIGGER webhooks_row_version BEFORE UPDATE OF url, events, active, secret ON webhooks
  FOR EACH ROW EXECUTE FUNCTION take_row_version();
