import { isAdministrator } from '../../../actor.ts';
import { ConflictError } from '../../../errors.ts';
import type { Reader } from '../projects/project-access.ts';
import type { OverlappingSession } from './session-repository.ts';

export type SessionAccess = { user_id: number; owner_id: number };

/** For the author and administrators; of those who are limited to groups, the caller has checked the scope. */
export function canChangeSession(reader: Reader, session: Pick<SessionAccess, 'user_id'>): boolean {
  return isAdministrator(reader) || session.user_id === reader.id;
}

/** Also for the owner of the project. Former members can view their own sessions. */
export function canViewSession(reader: Reader, session: SessionAccess): boolean {
  return canChangeSession(reader, session) || session.owner_id === reader.id;
}

export function isOverlap(error: unknown): error is ConflictError {
  return error instanceof ConflictError && error.code === 'SESSION_OVERLAP';
}

/** 409 with the other session, unless it was deleted before it could be read. */
export function overlapError(other: OverlappingSession | undefined): ConflictError {
  if (other === undefined) return new ConflictError('SESSION_OVERLAP', 'session_overlap_unknown');
  const { id, project_id, project_name: project, started_at: from, ended_at: to } = other;
  const fields = { session_id: id, project_id, started_at: from, ...(to !== null && { ended_at: to }) };
  const details = Object.entries(fields).map(([field, value]) => ({
    field,
    message: { verbatim: String(value) },
  }));
  return to === null
    ? new ConflictError('SESSION_OVERLAP', 'session_overlap_running', { id, project, from }, details)
    : new ConflictError('SESSION_OVERLAP', 'session_overlap', { id, project, from, to }, details);
}

/** The error to throw: an overlap that the constraint found, which does not identify the other session, with that session. */
export async function identifyOverlap(
  error: unknown,
  findOther: () => Promise<OverlappingSession | undefined>,
): Promise<unknown> {
  const isUnknown = isOverlap(error) && error.text.key === 'session_overlap_unknown';
  return isUnknown ? overlapError(await findOther()) : error;
}
