-- NULL for a time zone that the server does not know: its list may differ from that of Node.js.
CREATE OR REPLACE FUNCTION known_time_zone(name text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM now() AT TIME ZONE name;
  RETURN name;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN NULL;
END $$;
