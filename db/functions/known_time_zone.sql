-- The name if the server knows the time zone, else NULL; its list may differ from that of Node.
CREATE OR REPLACE FUNCTION known_time_zone(name text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM now() AT TIME ZONE name;
  RETURN name;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN NULL;
END $$;
