-- Run once, on the primary, as postgres. The role has the settings that the service sends when it connects, because PgBouncer
-- does not forward them.
CREATE ROLE studytrack LOGIN PASSWORD 'secret-of-studytrack';
CREATE DATABASE studytrack OWNER studytrack ENCODING 'UTF8' TEMPLATE template0;
ALTER ROLE studytrack SET timezone = 'UTC';
ALTER ROLE studytrack SET datestyle = 'ISO, MDY';
ALTER ROLE studytrack SET jit = off;
ALTER ROLE studytrack SET work_mem = '16MB';
ALTER ROLE studytrack SET statement_timeout = '9s';
ALTER ROLE studytrack SET lock_timeout = '7s';
ALTER ROLE studytrack SET idle_in_transaction_session_timeout = '30s';
