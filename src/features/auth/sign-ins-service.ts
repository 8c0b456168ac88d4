import { changingRights, type Database } from '../../db/database.ts';
import { NotFoundError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecurityLog } from '../../lib/security-log.ts';
import type { Actor } from './identity.ts';
import { createOwnSignInsRepository } from './sign-ins-repository.ts';

type Options = { database: Database; securityLog: SecurityLog; clock: Clock };
export type OwnSignInsService = ReturnType<typeof createOwnSignInsService>;

/** What users see of their own sign-ins, and how they end one. */
export function createOwnSignInsService({ database, securityLog, clock }: Options) {
  return {
    /** The live ones, most recently used first; at most 100. */
    async list(actor: Actor) {
      const signIns = await createOwnSignInsRepository(database).listLive(actor.id, clock());
      return signIns.map((signIn) => ({ ...signIn, current: signIn.id === actor.sign_in_id }));
    },

    /** Ends one of the caller's own. Throws NotFoundError for any other. */
    end(actor: Actor, id: string): Promise<void> {
      return database.transaction(
        async (tx) => {
          if (!(await createOwnSignInsRepository(tx).end(id, actor.id, clock())))
            throw new NotFoundError('sign_in_not_found');
          tx.onCommit(() => securityLog.note('sign_in_ended', actor, { sign_in: id }));
        },
        changingRights(actor.act, [actor.id]),
      );
    },
  };
}
