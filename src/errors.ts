import type { SecurityEvent } from './lib/security-log.ts';
import type { Message, MessageKey, MessageParams } from './messages/index.ts';

/** The closed set of codes that a failure answer carries. Never translated. */
export const errorCodes = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'OTP_REQUIRED',
  'PERMISSION_DENIED',
  'PASSWORD_CHANGE_REQUIRED',
  'OTP_SETUP_REQUIRED',
  'RESOURCE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONFLICT',
  'PROJECT_NOT_ACTIVE',
  'SESSION_OVERLAP',
  'TIMER_RUNNING',
  'NO_TIMER',
  'LAST_ADMIN',
  'IDEMPOTENCY_MISMATCH',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** One failing field: a path such as `assigned_user_ids[2]`, and what is wrong with it. */
export type FieldError = { field: string; message: Message };

/**
 * A failure raised on purpose. Only these show their message to the caller; anything else that is thrown
 * becomes a fixed text and a log line.
 */
export abstract class AppError extends Error {
  abstract readonly status: number;
  abstract readonly code: ErrorCode;
  readonly text: Message;
  readonly details: readonly FieldError[] = [];
  readonly headers: Readonly<Record<string, string>> = {};
  /** What the security log notes when this error is answered, and which account it concerns. */
  event?: { name: SecurityEvent; target_user?: number | undefined };

  constructor(key: MessageKey, params?: MessageParams) {
    super(key);
    this.name = new.target.name;
    this.text = params === undefined ? { key } : { key, params };
  }

  /** Sets the event for the security log. */
  noted(name: SecurityEvent, target_user?: number): this {
    this.event = { name, target_user };
    return this;
  }
}

/** 400: a parameter or the body breaks a rule; every failing field is named at once. */
export class ValidationError extends AppError {
  readonly status = 400;
  readonly code = 'VALIDATION_ERROR';
  override readonly details: readonly FieldError[];

  constructor(details: readonly FieldError[]) {
    super('validation_failed');
    this.details = details;
  }

  /** The usual case: one field, one message. */
  static of(field: string, key: MessageKey, params?: MessageParams): ValidationError {
    return new ValidationError([{ field, message: params === undefined ? { key } : { key, params } }]);
  }
}

/** 401: no token, or one that no longer holds. */
export class UnauthorizedError extends AppError {
  readonly status = 401;
  readonly code = 'UNAUTHORIZED';
  override readonly headers = { 'WWW-Authenticate': 'Bearer' };
}

/** 401: the password is right, and the account has a second factor that was not given. */
export class OtpRequiredError extends AppError {
  readonly status = 401;
  readonly code = 'OTP_REQUIRED';
  override readonly headers = { 'WWW-Authenticate': 'Bearer' };

  constructor() {
    super('otp_required');
  }
}

/** 403: signed in, the thing exists, and the caller may not do this to it. */
export class PermissionDeniedError extends AppError {
  readonly status = 403;
  readonly code = 'PERMISSION_DENIED';
}

/** 403: signed in with a one-time password, which must be changed first. */
export class PasswordChangeRequiredError extends AppError {
  readonly status = 403;
  readonly code = 'PASSWORD_CHANGE_REQUIRED';

  constructor() {
    super('password_change_required');
  }
}

/** 403: the account needs a second factor and has none yet. */
export class OtpSetupRequiredError extends AppError {
  readonly status = 403;
  readonly code = 'OTP_SETUP_REQUIRED';

  constructor() {
    super('otp_setup_required');
  }
}

/** 404: the thing does not exist, or was deleted. */
export class NotFoundError extends AppError {
  readonly status = 404;
  readonly code = 'RESOURCE_NOT_FOUND';
}

/** 405: the path is known, the method is not. */
export class MethodNotAllowedError extends AppError {
  readonly status = 405;
  readonly code = 'METHOD_NOT_ALLOWED';
  override readonly headers: Readonly<Record<string, string>>;

  constructor(allowed: readonly string[]) {
    super('method_not_allowed');
    this.headers = { Allow: allowed.join(', ') };
  }
}

type ConflictCode = Extract<
  ErrorCode,
  | 'CONFLICT'
  | 'PROJECT_NOT_ACTIVE'
  | 'SESSION_OVERLAP'
  | 'TIMER_RUNNING'
  | 'NO_TIMER'
  | 'LAST_ADMIN'
  | 'IDEMPOTENCY_MISMATCH'
>;

/** 409: the request is fine, the state forbids it now. */
export class ConflictError extends AppError {
  readonly status = 409;
  readonly code: ConflictCode;
  override readonly details: readonly FieldError[];

  constructor(code: ConflictCode, key: MessageKey, params?: MessageParams, details: readonly FieldError[] = []) {
    super(key, params);
    this.code = code;
    this.details = details;
  }
}

/** 412: `If-Match` names a state that is gone; nothing changed. */
export class PreconditionFailedError extends AppError {
  readonly status = 412;
  readonly code = 'PRECONDITION_FAILED';

  constructor() {
    super('precondition_failed');
  }
}

/** 413: a JSON body over the limit. */
export class PayloadTooLargeError extends AppError {
  readonly status = 413;
  readonly code = 'PAYLOAD_TOO_LARGE';

  constructor(limit: string) {
    super('payload_too_large', { limit });
  }
}

/** A limit as its headers tell it: so many in so many seconds. */
export type RatePolicy = { name: string; quota: number; seconds: number };

/** 429: too often; `retryAfter` in seconds. With a policy, the standard headers say which limit was reached. */
export class RateLimitedError extends AppError {
  readonly status = 429;
  readonly code = 'RATE_LIMITED';
  override readonly headers: Readonly<Record<string, string>>;

  constructor(retryAfter: number, key: MessageKey = 'rate_limited', policy?: RatePolicy) {
    super(key);
    const wait = Math.max(1, Math.ceil(retryAfter));
    this.headers = {
      'Retry-After': String(wait),
      ...(policy !== undefined && {
        'RateLimit-Policy': `"${policy.name}"; q=${policy.quota}; w=${policy.seconds}`,
        RateLimit: `"${policy.name}"; r=0; t=${wait}`,
      }),
    };
  }
}

/** 503: the database (or another part) cannot be reached now; try again soon. */
export class UnavailableError extends AppError {
  readonly status = 503;
  readonly code = 'SERVICE_UNAVAILABLE';
  override readonly headers = { 'Retry-After': '5' };

  constructor() {
    super('service_unavailable');
  }
}

/** 500: a bug. The log has the rest. */
export class InternalError extends AppError {
  readonly status = 500;
  readonly code = 'INTERNAL_ERROR';

  constructor(requestId: string) {
    super('internal_error', { requestId });
  }
}
