import type { Actor } from '../auth/identity.ts';

/** Whose record it is, and whose project it was made on. */
export type SessionFacts = { user_id: number; owner_id: number };

type Who = Pick<Actor, 'id' | 'role'>;

/** Its author and administrators change a record. */
export function canChangeSession(actor: Who, session: Pick<SessionFacts, 'user_id'>): boolean {
  return actor.role === 'admin' || session.user_id === actor.id;
}

/** Besides them, the owner of the project sees it. Leaving the project takes nothing away from the author. */
export function canViewSession(actor: Who, session: SessionFacts): boolean {
  return canChangeSession(actor, session) || session.owner_id === actor.id;
}
