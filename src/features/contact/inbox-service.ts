import type { Database } from '../../db/database.ts';
import { NotFoundError, ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Actor } from '../auth/identity.ts';
import { createContactRepository } from './contact-repository.ts';
import { type Advance, type AdvancedRequest, contactStatuses } from './contact-schemas.ts';

export type InboxService = ReturnType<typeof createInboxService>;

/** What administrators do with contact requests. */
export function createInboxService(database: Database, clock: Clock) {
  const requests = createContactRepository(database);

  async function requireState(id: number) {
    const state = await requests.findState(id);
    if (state === undefined) throw new NotFoundError('contact_request_not_found');
    return state;
  }

  return {
    requireState,

    /** Moves a request forward, or only changes its note. Throws NotFoundError, and ValidationError for a step back. */
    async advance(actor: Actor, id: number, { status, adminNote }: Advance): Promise<AdvancedRequest> {
      const note = adminNote === '' ? null : adminNote;
      const advanced = await database.transaction(
        (tx) => createContactRepository(tx).advance(id, status, note, clock(), contactStatuses),
        actor.act,
      );
      if (advanced !== undefined) return advanced;
      const present = await requireState(id);
      throw ValidationError.of('status', 'status_backward', { from: present.status, to: status });
    },

    /** Removes a request in whichever state. Throws NotFoundError. */
    async delete(actor: Actor, id: number): Promise<void> {
      const deleted = await database.transaction((tx) => createContactRepository(tx).delete(id), actor.act);
      if (!deleted) throw new NotFoundError('contact_request_not_found');
    },

    /** Removes requests that have been resolved for longer than so many days. */
    deleteOld: (days: number): Promise<void> =>
      requests.deleteResolvedBefore(new Date(clock().getTime() - days * 86_400_000)),
  };
}
