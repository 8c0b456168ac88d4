import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { ConflictError, NotFoundError, PreconditionFailedError, ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import * as audit from '../../operations/audit/audit-read-model.ts';
import { type ContactStatus, type ContactSubject, contactStatuses } from '../submissions/contact-schemas.ts';
import type { Advancement, ContactRow } from './inbox-repository.ts';
import * as inbox from './inbox-repository.ts';
import type { Advance, BulkInput, bulkOutcomes } from './inbox-schemas.ts';

/** The request, its required subject, the account that was created or got a new password, and the administrator. */
type Resolution = { id: number; subject: ContactSubject; user_id: number; handled_by: number };

export type ResolveContactRequest = (tx: Tx, resolution: Resolution) => Promise<void>;

/** Of locked requests. */
async function advanceRequests(tx: Tx, requests: readonly ContactRow[], change: Advancement): Promise<ContactRow[]> {
  if (requests.length === 0) return [];
  const ids = requests.map((request) => request.id);
  const advanced = new Map((await inbox.advance(tx, ids, change)).map((request) => [request.id, request]));
  const changes = requests.flatMap((before) => {
    const after = advanced.get(before.id);
    return after === undefined ? [] : [{ before, after }];
  });
  tx.record({ type: 'contact.updated', changes });
  return changes.map(({ after }) => after);
}

/** Resolves a request in the transaction that fulfils it. Throws NotFoundError, ConflictError. */
export function createContactLink(clock: Clock): ResolveContactRequest {
  return async (tx, { id, subject, user_id, handled_by }) => {
    const [request] = await inbox.lock(tx, [id]);
    if (request === undefined) throw new NotFoundError('contact_request_not_found');
    if (request.subject !== subject)
      throw new ConflictError('CONFLICT', 'contact_request_other_subject', { subject: request.subject });
    if (request.status === 'resolved') throw new ConflictError('CONFLICT', 'contact_request_closed');
    await advanceRequests(tx, [request], { status: 'resolved', user_id, handled_by, at: clock() });
  };
}

const deleteBatch = 500;

type Outcome = (typeof bulkOutcomes)[number];

export type InboxService = ReturnType<typeof createInboxService>;

export function createInboxService({ store, clock }: { store: Db; clock: Clock }) {
  async function lock(tx: Tx, id: number, expectedVersion: number | undefined) {
    const [request] = await inbox.lock(tx, [id]);
    if (request === undefined) throw new NotFoundError('contact_request_not_found');
    if (expectedVersion !== undefined && expectedVersion !== request.row_version) throw new PreconditionFailedError();
    return request;
  }

  /** Also deletes what the audit log says of the locked requests. */
  async function remove(tx: Tx, requests: readonly ContactRow[]): Promise<void> {
    if (requests.length === 0) return;
    const ids = requests.map((request) => request.id);
    await inbox.remove(tx, ids);
    await audit.forget(tx, 'contact_request', ids);
    tx.record({ type: 'contact.deleted', requests });
  }

  return {
    async requireExisting(id: number): Promise<void> {
      if (!(await inbox.exists(store, id))) throw new NotFoundError('contact_request_not_found');
    },

    advance(actor: Actor, id: number, { status, adminNote }: Advance, expectedVersion: number | undefined) {
      return store.transaction(actor.context, async (tx) => {
        const request = await lock(tx, id, expectedVersion);
        if (outcomeOf(request.status, status) === 'status_backward')
          throw ValidationError.of('status', 'status_backward', { from: request.status, to: status });
        const admin_note = adminNote === '' ? null : adminNote;
        const change = { status, admin_note, handled_by: actor.id, at: clock() };
        const [advanced] = await advanceRequests(tx, [request], change);
        if (advanced === undefined) throw new Error(`contact request ${id} disappeared while it was locked`);
        return advanced;
      });
    },

    delete: (actor: Actor, id: number, expectedVersion: number | undefined): Promise<void> =>
      store.transaction(actor.context, async (tx) => remove(tx, [await lock(tx, id, expectedVersion)])),

    changeMany(actor: Actor, { ids: given, status }: BulkInput): Promise<{ id: number; outcome: Outcome }[]> {
      const ids = [...new Set(given)];
      return store.transaction(actor.context, async (tx) => {
        const requests = await inbox.lock(tx, ids);
        const found = new Map(requests.map((request) => [request.id, request.status]));
        const results = ids.map((id) => ({ id, outcome: outcomeOf(found.get(id), status) }));
        if (status === undefined) await remove(tx, requests);
        else {
          const advancing = requests.filter((request) => outcomeOf(request.status, status) === 'updated');
          await advanceRequests(tx, advancing, { status, handled_by: actor.id, at: clock() });
        }
        return results;
      });
    },

    async deleteOld(days: number): Promise<void> {
      const before = new Date(clock().getTime() - days * 86_400_000);
      const deleteSome = () =>
        store.asService(async (tx) => {
          const requests = await inbox.lockResolvedBefore(tx, before, deleteBatch);
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
