import type { Executor } from './database.ts';
import { sql } from './sql/sql.ts';
import { query } from './sql/statement.ts';
import { t } from './sql/types.ts';

const readSettings = query(
  'read_server_settings',
  { version: t.integer, encoding: t.text, connections: t.integer },
  () => sql`
    SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
      current_setting('max_connections')::int AS connections`,
);

export type ServerSettings = Awaited<ReturnType<typeof readServerSettings>>;

export const readServerSettings = (database: Executor) => database.one(readSettings());
