import { byPosition, type Executor } from '../../db/executor.ts';
import { sql, t } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { isTaken, type KeyId } from '../../http/idempotency-repository.ts';
import type { AuditContext } from './identity.ts';

const verifyActor = command(
  'verify_actor',
  ({ actor_id, sign_in_id, role, changes = [] }: AuditContext) => sql`
    SELECT verify_actor(${t.bigint(actor_id)}, ${t.uuid(sign_in_id)}, ${t.text(role)}, ${t.bigints(changes)})`,
);

/** Commands have no context, and all rights. */
export type Verifiable = { context: AuditContext | undefined; key: KeyId | undefined };

// A locked row must not delay the others of a batch for long: after an error each request runs alone, with the normal timeout.
const shortLockTimeout = sql`CASE WHEN set_config('lock_timeout', '20ms', true) <> '' THEN`;

const verifyAll = query(
  'verify_actors',
  { position: t.bigint, verdict: t.text.orNull, key_taken: t.boolean },
  (requests: readonly Verifiable[], alone: boolean) => {
    const verdict = sql`CASE WHEN r.actor_id IS NOT NULL THEN actor_verdict(r.actor_id, r.sign_in_id, r.role) END`;
    const contexts = (of: (context: AuditContext) => string) =>
      requests.map(({ context }) => (context === undefined ? null : of(context)));
    const keys = (of: (id: KeyId) => string) =>
      t.texts(requests.map(({ key }) => (key === undefined ? null : of(key))));
    return sql`
      SELECT r.position, ${alone ? verdict : sql`${shortLockTimeout} ${verdict} END`} AS verdict,
        ${isTaken({ caller: sql`r.caller`, path: sql`r.path`, key: sql`r.key` })} AS key_taken
      FROM unnest((SELECT ${t.bigints(requests.map(({ context }) => context?.actor_id ?? null))}),
        (SELECT ${t.uuids(contexts((context) => context.sign_in_id))}),
        (SELECT ${t.texts(contexts((context) => context.role))}),
        (SELECT ${keys((id) => id.caller)}), (SELECT ${keys((id) => id.path)}), (SELECT ${keys((id) => id.key)}))
        WITH ORDINALITY AS r (actor_id, sign_in_id, role, caller, path, key, position)`;
  },
);

export function createActorRepository(db: Executor) {
  return {
    /** Throws unless the actor still has the rights of their request, which are then locked until the commit. */
    verify: (context: AuditContext) => db.execute(verifyActor(context)),
    /**
     * The same for several requests, sorted by the actor's id: the code of the error that rejects each of them, if any, and whether
     * its key is taken.
     */
    verifyAll: async (requests: readonly Verifiable[], alone: boolean) =>
      byPosition(requests, await db.many(verifyAll(requests, alone))),
  };
}
