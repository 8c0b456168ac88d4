import type { Executor } from '../../db/database.ts';
import { pendingMigrations } from '../../db/migrations.ts';
import { sql } from '../../db/sql.ts';
import { command, query } from '../../db/statement.ts';
import { t } from '../../db/types.ts';

const ping = command('ping', () => sql`SELECT 1`);

const countUnsentMails = query(
  'count_unsent_mails',
  { unsent: t.bigint },
  () => sql`SELECT (SELECT count(*) FROM mail_outbox) + (SELECT count(*) FROM contact_outbox) AS unsent`,
);

export type HealthRepository = ReturnType<typeof createHealthRepository>;

export function createHealthRepository(db: Executor) {
  return {
    ping: () => db.execute(ping()),
    countUnsentMails: async () => (await db.one(countUnsentMails())).unsent,
    isMigrated: async () => (await pendingMigrations(db.knex)).length === 0,
  };
}
