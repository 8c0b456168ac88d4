import pg from 'pg';
import {
  AppError,
  ConflictError,
  PermissionDeniedError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from '../errors.ts';

/** Violated constraints as errors for callers. Code checks first and says more; this is for requests that raced. */
const constraintErrors: Readonly<Record<string, () => AppError>> = {
  users_username_key: () => ValidationError.of('username', 'username_taken'),
  users_email_key: () => ValidationError.of('email', 'email_taken'),
  groups_name_key: () => ValidationError.of('name', 'group_name_taken'),
  groups_members_limited: () => ValidationError.of('add', 'group_too_large', { maximum: 1000 }),
  study_sessions_no_overlap: () => new ConflictError('SESSION_OVERLAP', 'session_overlap_unknown'),
  study_sessions_one_running: () => new ConflictError('TIMER_RUNNING', 'timer_already_running'),
};

/** What a SQLSTATE of our own functions means. */
const raisedErrors: Readonly<Record<string, () => AppError>> = {
  ZA401: () => new UnauthorizedError('unauthorized'),
  ZA403: () => new PermissionDeniedError('admin_only'),
};

// Class 08: connection; 53: out of resources; 57P: shut down or not up yet; 57014: statement timeout; 55P03: lock timeout; 25P03: idle;
// 25006: the server became a standby.
const unavailable = /^(08|53|57P|57014|55P03|25P0[34]|25006|40001|40P01)/;
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
const networkTexts =
  /Connection terminated|connection timeout|timeout expired|Client has encountered a connection error|Timeout acquiring a connection/i;

/** A lock was not to be had in time, or two transactions waited for each other: the same transaction may succeed later. */
export function isLockConflict(error: unknown): boolean {
  const original = error instanceof UnavailableError ? error.cause : error;
  return original instanceof pg.DatabaseError && (original.code === '55P03' || original.code === '40P01');
}

/** The constraint as declared: a partition (`study_sessions_p007`) names its own after itself. */
const constraintOf = ({ constraint = '' }: pg.DatabaseError): string =>
  constraint.replace(/^study_sessions_p\d+_/, 'study_sessions_');

/** The server accepts no writes, such as a primary that another one has replaced: a new connection may reach that one. */
export function isReadOnlyServer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25006';
}

/** Makes an AppError of a database error that has a meaning to the caller; hands on anything else as it is. */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  if (error instanceof pg.DatabaseError) {
    const meaning = constraintErrors[constraintOf(error)] ?? raisedErrors[error.code ?? ''];
    if (meaning !== undefined) return meaning();
    return unavailable.test(error.code ?? '') ? unavailableFor(error) : error;
  }
  const lost = ('code' in error && networkCodes.has(String(error.code))) || networkTexts.test(error.message);
  return lost ? unavailableFor(error) : error;
}

function unavailableFor(cause: Error): UnavailableError {
  return Object.assign(new UnavailableError(), { cause });
}
