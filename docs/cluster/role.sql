-- Once, on the primary, as postgres. The settings of the role are those that the service sends at the start of a
-- connection, which PgBouncer does not pass on.
CREATE ROLE studytrack LOGIN PASSWORD 'secret-of-studytrack';
CREATE DATABASE studytrack OWNER studytrack ENCODING 'UTF8' TEMPLATE template0;
ALTER ROLE studytrack SET timezone = 'UTC';
ALTER ROLE studytrack SET statement_timeout = '12s';
ALTER ROLE studytrack SET lock_timeout = '8s';
ALTER ROLE studytrack SET idle_in_transaction_session_timeout = '30s';
