import type { Reader } from '../projects/project-policy.ts';

export type SessionAccess = { user_id: number; owner_id: number };

/** For the author and administrators. */
export function canChangeSession(reader: Reader, session: Pick<SessionAccess, 'user_id'>): boolean {
  return reader.role === 'admin' || session.user_id === reader.id;
}

/** Also for the owner of the project. Former members can view their own sessions. */
export function canViewSession(reader: Reader, session: SessionAccess): boolean {
  return canChangeSession(reader, session) || session.owner_id === reader.id;
}
