import type { Executor } from '../../db/database.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import { sql } from '../../db/sql/sql.ts';
import { command } from '../../db/sql/statement.ts';

const ping = command('ping', () => sql`SELECT 1`);

export function createHealthRepository(db: Executor) {
  return {
    ping: () => db.execute(ping()),
    isMigrated: async () => (await pendingMigrations(db.knex)).length === 0,
  };
}
