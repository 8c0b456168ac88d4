import type { Reader } from '../projects/project-policy.ts';

export type SessionFacts = { user_id: number; owner_id: number };

/** The author and administrators change a session. */
export function canChangeSession(reader: Reader, session: Pick<SessionFacts, 'user_id'>): boolean {
  return reader.role === 'admin' || session.user_id === reader.id;
}

/** Besides them, the owner of the project sees it. Former members see their own sessions. */
export function canViewSession(reader: Reader, session: SessionFacts): boolean {
  return canChangeSession(reader, session) || session.owner_id === reader.id;
}
