import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store.ts';
import type { ContactSubject } from '../contact/contact-schemas.ts';

/** The request, its required subject, the account that was created or got a new password, and the administrator. */
export type Resolution = { id: number; subject: ContactSubject; user_id: number; handled_by: number };

export type ResolveContactRequest = (tx: Pick<Store, 'inbox'>, resolution: Resolution) => Promise<void>;

/** Resolves a request in the transaction that fulfils it. Throws NotFoundError, ConflictError. */
export function createContactLink(clock: Clock): ResolveContactRequest {
  return async ({ inbox }, { id, subject, user_id, handled_by }) => {
    if (await inbox.resolve(id, subject, user_id, { actor_id: handled_by, at: clock() })) return;
    const current = await inbox.findState(id);
    if (current === undefined) throw new NotFoundError('contact_request_not_found');
    if (current.subject !== subject)
      throw new ConflictError('CONFLICT', 'contact_request_other_subject', { subject: current.subject });
    throw new ConflictError('CONFLICT', 'contact_request_closed');
  };
}
