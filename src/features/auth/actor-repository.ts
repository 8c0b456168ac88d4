import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { command } from '../../db/sql/statement.ts';
import { verification } from './actor-sql.ts';
import type { AuditContext } from './audit-context.ts';

const verifyActor = command('verify_actor', (context: AuditContext) => sql`SELECT ${verification(context)}`);

export function createActorRepository(db: Executor) {
  return {
    verify: (context: AuditContext) => db.execute(verifyActor(context)),
  };
}
