import type { Reader } from '../../../actor.ts';
import { isAdministrator } from '../../../actor.ts';
import { ConflictError, ValidationError } from '../../../texts/errors.ts';
import type { LockedSession, OverlappingSession, Span } from './session-repository.ts';
import type { SessionChange } from './session-schemas.ts';
import { changeTimes, timeErrors, timerStartProblem } from './session-times.ts';

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

/** 409 with the other session, unless it was deleted before it could be read. `isOwn`: it is the caller's. */
export function overlapError(other: OverlappingSession | undefined, isOwn = true): ConflictError {
  if (other === undefined) return new ConflictError('SESSION_OVERLAP', 'session_overlap_unknown');
  const { id, project_id, project_name: project, started_at: from, ended_at: to } = other;
  const fields = { session_id: id, project_id, started_at: from, ...(to !== null && { ended_at: to }) };
  const details = Object.entries(fields).map(([field, value]) => ({
    field,
    message: { verbatim: String(value) },
  }));
  if (to === null)
    return new ConflictError('SESSION_OVERLAP', 'session_overlap_running', { id, project, from }, details);
  const key = isOwn ? 'session_overlap' : 'session_overlap_of_user';
  return new ConflictError('SESSION_OVERLAP', key, { id, project, from, to }, details);
}

/** The error to throw: an overlap that the constraint found, which does not identify the other session, with that session. */
export async function identifyOverlap(
  error: unknown,
  findOther: () => Promise<OverlappingSession | undefined>,
  isOwn?: boolean,
): Promise<unknown> {
  const isUnknown = isOverlap(error) && error.text.key === 'session_overlap_unknown';
  return isUnknown ? overlapError(await findOther(), isOwn) : error;
}

/** The time of a session after a change. Throws ValidationError and ConflictError. */
export function requestedSpan(session: LockedSession, change: SessionChange, now: Date): Span {
  const started_at = new Date(session.started_at);
  if (session.ended_at === null) {
    const isEnded = change.ended_at === undefined ? change.duration_seconds !== undefined : change.ended_at !== null;
    if (isEnded) throw new ConflictError('TIMER_RUNNING', 'timer_running');
    const span = { started_at: change.started_at ?? started_at, ended_at: null };
    const problem = hasSpan(session, span) ? undefined : timerStartProblem(span.started_at, now);
    if (problem !== undefined) throw ValidationError.of('started_at', problem);
    return span;
  }
  if (change.ended_at === null) throw ValidationError.of('ended_at', 'required');
  const times = changeTimes({ started_at, ended_at: new Date(session.ended_at) }, change);
  if (times === 'contradiction') throw ValidationError.of('duration_seconds', 'session_contradiction');
  const errors = hasSpan(session, times) ? [] : timeErrors(times, now, change);
  if (errors.length > 0) throw new ValidationError(errors);
  return times;
}

export function hasSpan(session: LockedSession, { started_at, ended_at }: Span): boolean {
  return started_at.toISOString() === session.started_at && (ended_at?.toISOString() ?? null) === session.ended_at;
}
