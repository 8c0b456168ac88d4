import { NotFoundError, PreconditionFailedError, ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { unique } from '../../lib/unique.ts';
import type { Store } from '../../store.ts';
import type { Actor } from '../auth/identity.ts';
import { type ContactStatus, contactStatuses } from '../contact/contact-schemas.ts';
import type { Advance, BulkInput, bulkOutcomes } from './inbox-schemas.ts';

type Outcome = (typeof bulkOutcomes)[number];

export type InboxServiceOptions = { store: Store; clock: Clock };
export type InboxService = ReturnType<typeof createInboxService>;

export function createInboxService({ store, clock }: InboxServiceOptions) {
  async function requireState(id: number) {
    const state = await store.inbox.findState(id);
    if (state === undefined) throw new NotFoundError('contact_request_not_found');
    return state;
  }
  const handling = (actor: Actor) => ({ actor_id: actor.id, at: clock() });

  return {
    requireState,

    async advance(actor: Actor, id: number, { status, adminNote }: Advance, expectedVersion: number | undefined) {
      const note = adminNote === '' ? null : adminNote;
      const advanced = await store.transaction(
        ({ inbox }) => inbox.advance(id, status, note, handling(actor), expectedVersion),
        actor.act,
      );
      if (advanced !== undefined) return advanced;
      const current = await requireState(id);
      if (expectedVersion !== undefined && expectedVersion !== current.row_version) throw new PreconditionFailedError();
      throw ValidationError.of('status', 'status_backward', { from: current.status, to: status });
    },

    async delete(actor: Actor, id: number, expectedVersion: number | undefined): Promise<void> {
      const isDeleted = await store.transaction(({ inbox }) => inbox.delete(id, expectedVersion), actor.act);
      if (isDeleted) return;
      await requireState(id);
      throw new PreconditionFailedError();
    },

    changeMany(actor: Actor, { ids: given, status }: BulkInput): Promise<{ id: number; outcome: Outcome }[]> {
      const ids = unique(given);
      return store.transaction(async ({ inbox }) => {
        const found = new Map((await inbox.lockAll(ids)).map((request) => [request.id, request.status]));
        const results = ids.map((id) => ({ id, outcome: outcomeOf(found.get(id), status) }));
        const idsWith = (outcome: Outcome) =>
          results.filter((result) => result.outcome === outcome).map(({ id }) => id);
        if (status === undefined) await inbox.deleteAll(idsWith('deleted'));
        else await inbox.advanceAll(idsWith('updated'), status, handling(actor));
        return results;
      }, actor.act);
    },

    deleteOld: (days: number) => store.inbox.deleteResolvedBefore(new Date(clock().getTime() - days * 86_400_000)),
  };
}

/** `target`: the new state; undefined to delete. */
function outcomeOf(current: ContactStatus | undefined, target: ContactStatus | undefined): Outcome {
  if (current === undefined) return 'not_found';
  if (target === undefined) return 'deleted';
  const steps = contactStatuses.indexOf(target) - contactStatuses.indexOf(current);
  if (steps === 0) return 'unchanged';
  return steps > 0 ? 'updated' : 'status_backward';
}
