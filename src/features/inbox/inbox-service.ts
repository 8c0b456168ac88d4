import { ConflictError, NotFoundError, PreconditionFailedError, ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { unique } from '../../lib/unique.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { Actor } from '../auth/identity.ts';
import { type ContactStatus, type ContactSubject, contactStatuses } from '../contact/contact-schemas.ts';
import type { Advancement, ContactRow } from './inbox-repository.ts';
import type { Advance, BulkInput, bulkOutcomes } from './inbox-schemas.ts';

/** The request, its required subject, the account that was created or got a new password, and the administrator. */
type Resolution = { id: number; subject: ContactSubject; user_id: number; handled_by: number };

export type ResolveContactRequest = (tx: TransactionStore, resolution: Resolution) => Promise<void>;

/** Of locked requests. */
async function advanceRequests(
  { inbox, record }: TransactionStore,
  requests: readonly ContactRow[],
  change: Advancement,
): Promise<ContactRow[]> {
  if (requests.length === 0) return [];
  const ids = requests.map((request) => request.id);
  const advanced = new Map((await inbox.advance(ids, change)).map((request) => [request.id, request]));
  const changes = requests.flatMap((before) => {
    const after = advanced.get(before.id);
    return after === undefined ? [] : [{ before, after }];
  });
  record({ type: 'contact.updated', changes });
  return changes.map(({ after }) => after);
}

/** Resolves a request in the transaction that fulfils it. Throws NotFoundError, ConflictError. */
export function createContactLink(clock: Clock): ResolveContactRequest {
  return async (tx, { id, subject, user_id, handled_by }) => {
    const [request] = await tx.inbox.lock([id]);
    if (request === undefined) throw new NotFoundError('contact_request_not_found');
    if (request.subject !== subject)
      throw new ConflictError('CONFLICT', 'contact_request_other_subject', { subject: request.subject });
    if (request.status === 'resolved') throw new ConflictError('CONFLICT', 'contact_request_closed');
    await advanceRequests(tx, [request], { status: 'resolved', user_id, handled_by, at: clock() });
  };
}

const deleteBatch = 500;

type Outcome = (typeof bulkOutcomes)[number];

export type InboxServiceOptions = { store: Store; clock: Clock };
export type InboxService = ReturnType<typeof createInboxService>;

export function createInboxService({ store, clock }: InboxServiceOptions) {
  async function lock({ inbox }: TransactionStore, id: number, expectedVersion: number | undefined) {
    const [request] = await inbox.lock([id]);
    if (request === undefined) throw new NotFoundError('contact_request_not_found');
    if (expectedVersion !== undefined && expectedVersion !== request.row_version) throw new PreconditionFailedError();
    return request;
  }

  /** Also deletes what the audit log says of the locked requests. */
  async function remove({ inbox, audit, record }: TransactionStore, requests: readonly ContactRow[]): Promise<void> {
    if (requests.length === 0) return;
    const ids = requests.map((request) => request.id);
    await inbox.delete(ids);
    await audit.forget('contact_request', ids);
    record({ type: 'contact.deleted', requests });
  }

  return {
    async requireExisting(id: number): Promise<void> {
      if (!(await store.inbox.exists(id))) throw new NotFoundError('contact_request_not_found');
    },

    advance(actor: Actor, id: number, { status, adminNote }: Advance, expectedVersion: number | undefined) {
      return store.transaction(async (tx) => {
        const request = await lock(tx, id, expectedVersion);
        if (outcomeOf(request.status, status) === 'status_backward')
          throw ValidationError.of('status', 'status_backward', { from: request.status, to: status });
        const admin_note = adminNote === '' ? null : adminNote;
        const change = { status, admin_note, handled_by: actor.id, at: clock() };
        const [advanced] = await advanceRequests(tx, [request], change);
        if (advanced === undefined) throw new Error(`contact request ${id} disappeared while it was locked`);
        return advanced;
      }, actor.context);
    },

    delete: (actor: Actor, id: number, expectedVersion: number | undefined): Promise<void> =>
      store.transaction(async (tx) => remove(tx, [await lock(tx, id, expectedVersion)]), actor.context),

    changeMany(actor: Actor, { ids: given, status }: BulkInput): Promise<{ id: number; outcome: Outcome }[]> {
      const ids = unique(given);
      return store.transaction(async (tx) => {
        const requests = await tx.inbox.lock(ids);
        const found = new Map(requests.map((request) => [request.id, request.status]));
        const results = ids.map((id) => ({ id, outcome: outcomeOf(found.get(id), status) }));
        if (status === undefined) await remove(tx, requests);
        else {
          const advancing = requests.filter((request) => outcomeOf(request.status, status) === 'updated');
          await advanceRequests(tx, advancing, { status, handled_by: actor.id, at: clock() });
        }
        return results;
      }, actor.context);
    },

    async deleteOld(days: number): Promise<void> {
      const before = new Date(clock().getTime() - days * 86_400_000);
      const deleteSome = () =>
        store.transaction(async (tx) => {
          const requests = await tx.inbox.lockResolvedBefore(before, deleteBatch);
          await remove(tx, requests);
          return requests.length;
        });
      while ((await deleteSome()) === deleteBatch);
    },
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
