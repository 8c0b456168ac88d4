import type { Executor } from '../../../db/database.ts';
import { pendingMigrations } from '../../../db/migrate.ts';
import { sql } from '../../../db/sql/sql.ts';
import { execute } from '../../../db/statements.ts';

export const ping = execute('ping', () => sql`SELECT 1`);

export const isMigrated = async (db: Executor) => (await pendingMigrations(db.knex)).length === 0;
