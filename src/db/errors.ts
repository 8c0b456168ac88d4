import pg from 'pg';
import { InvalidTokenError, PermissionDeniedError } from '../texts/access-errors.ts';
import { AppError, ConflictError, KeyTakenError, UnavailableError, ValidationError } from '../texts/errors.ts';

/** Code checks these rules first, with better messages; the constraints catch races. */
const constraintErrors: Readonly<Record<string, () => AppError>> = {
  users_username_key: () => ValidationError.of('username', 'username_taken'),
  users_email_key: () => ValidationError.of('email', 'email_taken'),
  groups_name_key: () => ValidationError.of('name', 'group_name_taken'),
  groups_members_limited: () => ValidationError.of('add', 'group_too_large', { maximum: 1000 }),
  study_sessions_no_overlap: () => new ConflictError('SESSION_OVERLAP', 'session_overlap_unknown'),
  tags_limited: () => new ConflictError('CONFLICT', 'too_many_tags', { maximum: 200 }),
  roster_accounts_external_id_key: () => ValidationError.of('external_id', 'invalid'),
  session_imports_one_running: () => new ConflictError('CONFLICT', 'import_running'),
  study_sessions_one_running: () => new ConflictError('TIMER_RUNNING', 'timer_already_running'),
};

const raisedErrors: Readonly<Record<string, () => AppError>> = {
  ZA401: () => new InvalidTokenError('revoked'),
  ZA403: () => new PermissionDeniedError('admin_only'),
  ZA409: () => new KeyTakenError(),
};

// 08: connection, 53: out of resources, 57P: shutdown or startup, 57014: statement timeout, 55P03: lock timeout, 25P0x: idle or
// transaction timeout, 25006: read-only standby, 40001: serialization failure, 40P01: deadlock.
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

export function isLockConflict(error: unknown): boolean {
  const original = error instanceof UnavailableError ? error.cause : error;
  return original instanceof pg.DatabaseError && (original.code === '55P03' || original.code === '40P01');
}

/** The statement took too long, or another connection has cancelled it. */
export function isCancelled(error: unknown): boolean {
  const original = error instanceof UnavailableError ? error.cause : error;
  return original instanceof pg.DatabaseError && original.code === '57014';
}

/**
 * Cancelled by a revocation of rights, `lock_rights` in the schema, that found the transaction before on this connection: it may
 * have ended meanwhile. The timeout has the same code, but another message.
 */
export const wasCancelledByAnother = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57014' && error.message.endsWith('due to user request');

/** No statement can succeed now, whatever it does. A timeout or a deadlock concerns one statement only. */
export function isServerUnavailable(error: unknown): boolean {
  const code =
    error instanceof UnavailableError && error.cause instanceof pg.DatabaseError ? error.cause.code : undefined;
  return error instanceof UnavailableError && !/^(57014|55P03|40)/.test(code ?? '');
}

export function isReadOnlyServer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25006';
}

/** The error of a code that a database function raises or returns. */
export function raisedError(code: string): AppError | undefined {
  return raisedErrors[code]?.();
}

export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  if (error instanceof pg.DatabaseError) {
    const meaning = constraintErrors[error.constraint ?? '']?.() ?? raisedError(error.code ?? '');
    if (meaning !== undefined) return meaning;
    return unavailable.test(error.code ?? '') ? unavailableFor(error) : error;
  }
  const lost = ('code' in error && networkCodes.has(String(error.code))) || networkTexts.test(error.message);
  return lost ? unavailableFor(error) : error;
}

function unavailableFor(cause: Error): UnavailableError {
  return Object.assign(new UnavailableError(), { cause });
}
