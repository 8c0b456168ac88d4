import { ConflictError } from '../../errors.ts';
import type { OtherSession } from './session-repository.ts';

export function isOverlap(error: unknown): boolean {
  return error instanceof ConflictError && error.code === 'SESSION_OVERLAP';
}

/** 409 that names the other record; unknown when it was gone again before it could be read. */
export function overlapError(other: OtherSession | undefined): ConflictError {
  if (other === undefined) return new ConflictError('SESSION_OVERLAP', 'session_overlap_unknown');
  const { id, project_id, project_name: project, started_at: from, ended_at: to } = other;
  const facts = { session_id: id, project_id, started_at: from, ...(to !== null && { ended_at: to }) };
  const details = Object.entries(facts).map(([field, value]) => ({
    field,
    message: { key: 'as_it_is' as const, params: { value } },
  }));
  return to === null
    ? new ConflictError('SESSION_OVERLAP', 'session_overlap_running', { id, project, from }, details)
    : new ConflictError('SESSION_OVERLAP', 'session_overlap', { id, project, from, to }, details);
}
