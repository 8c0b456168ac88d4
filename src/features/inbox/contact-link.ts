import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { TransactionStore } from '../../store.ts';
import type { ContactSubject } from '../contact/contact-schemas.ts';
import type { Advancement, ContactRow } from './inbox-repository.ts';

/** The request, its required subject, the account that was created or got a new password, and the administrator. */
export type Resolution = { id: number; subject: ContactSubject; user_id: number; handled_by: number };

export type ResolveContactRequest = (tx: TransactionStore, resolution: Resolution) => Promise<void>;

/** Of locked requests. */
export async function advanceRequests(
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
