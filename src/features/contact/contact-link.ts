import type { Executor } from '../../db/database.ts';
import { ConflictError, NotFoundError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { createContactRepository } from './contact-repository.ts';
import type { ContactSubject } from './contact-schemas.ts';

/** Which request is answered, what it must be about, and the account that was made or given a new password. */
export type Resolution = { id: number; subject: ContactSubject; user_id: number };

export type ResolveContactRequest = (tx: Executor, resolution: Resolution) => Promise<void>;

/**
 * For those who do what a request asks for: links it with the account and resolves it, in their transaction. Throws
 * NotFoundError, and ConflictError when it is about something else or resolved already.
 */
export function createContactLink(clock: Clock): ResolveContactRequest {
  return async (tx, { id, subject, user_id }) => {
    const requests = createContactRepository(tx);
    if (await requests.resolveOpen(id, subject, user_id, clock())) return;
    const present = await requests.findState(id);
    if (present === undefined) throw new NotFoundError('contact_request_not_found');
    if (present.subject !== subject)
      throw new ConflictError('CONFLICT', 'contact_request_other_subject', { subject: present.subject });
    throw new ConflictError('CONFLICT', 'contact_request_closed');
  };
}
