import { type Locale, type Message, type MessageKey, type MessageParams, translate, type Verbatim } from './index.ts';

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

/** A column of an imported table, with its cell in the first row. */
export type FileColumn = { name: string; example: string };
/** `file_columns`: those of a file that cannot be read without knowing what they hold. */
export type FieldError = { field: string; message: Message; file_columns?: FileColumn[] };
/** A conflict may also contain a value, such as the id of the conflicting session. */
export type ErrorDetail = Omit<FieldError, 'message'> & { message: Message | Verbatim };

/** A detail of an error as it is returned. */
export const toDetail = ({ field, message, file_columns }: ErrorDetail, locale: Locale) => ({
  field,
  message: translate(message, locale),
  ...(file_columns !== undefined && { file_columns }),
});

/** What the security log says of a refused proof. */
type RefusedProof = 'sign_in_failed' | 'password_check_failed' | 'refresh_token_reused';

/** Only these errors show their message; any other is logged and returns a fixed text. */
export abstract class AppError extends Error {
  abstract readonly status: number;
  abstract readonly code: ErrorCode;
  readonly text: Message;
  readonly details: readonly ErrorDetail[] = [];
  readonly headers: Readonly<Record<string, string>> = {};
  /** The event that is logged when this error is sent, and the account it concerns. */
  event?: { name: RefusedProof; target_user?: number | undefined };

  constructor(key: MessageKey, params?: MessageParams) {
    super(key);
    this.name = new.target.name;
    this.text = params === undefined ? { key } : { key, params };
  }

  withSecurityEvent(name: RefusedProof, target_user?: number): this {
    this.event = { name, target_user };
    return this;
  }
}

export class ValidationError extends AppError {
  readonly status = 400;
  readonly code = 'VALIDATION_ERROR';
  override readonly details: readonly FieldError[];

  constructor(details: readonly FieldError[]) {
    super('validation_failed');
    this.details = details;
  }

  static of(field: string, key: MessageKey, params?: MessageParams): ValidationError {
    return new ValidationError([{ field, message: params === undefined ? { key } : { key, params } }]);
  }
}

export class NotFoundError extends AppError {
  readonly status = 404;
  readonly code = 'RESOURCE_NOT_FOUND';
}

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

export class ConflictError extends AppError {
  readonly status = 409;
  readonly code: ConflictCode;
  override readonly details: readonly ErrorDetail[];

  constructor(code: ConflictCode, key: MessageKey, params?: MessageParams, details: readonly ErrorDetail[] = []) {
    super(key, params);
    this.code = code;
    this.details = details;
  }
}

/** The Idempotency-Key was used before: the request is a repetition. */
export class KeyTakenError extends ConflictError {
  constructor() {
    super('CONFLICT', 'conflict');
  }
}

export class PreconditionFailedError extends AppError {
  readonly status = 412;
  readonly code = 'PRECONDITION_FAILED';

  constructor() {
    super('precondition_failed');
  }
}

export class PayloadTooLargeError extends AppError {
  readonly status = 413;
  readonly code = 'PAYLOAD_TOO_LARGE';

  constructor(limit: string) {
    super('payload_too_large', { limit });
  }
}

export type RatePolicy = { name: string; quota: number; seconds: number };

/** `retryAfter` in seconds. */
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

export class UnavailableError extends AppError {
  readonly status = 503;
  readonly code = 'SERVICE_UNAVAILABLE';
  override readonly headers = { 'Retry-After': '5' };

  constructor(key: MessageKey = 'service_unavailable') {
    super(key);
  }
}

export class InternalError extends AppError {
  readonly status = 500;
  readonly code = 'INTERNAL_ERROR';

  constructor(requestId: string) {
    super('internal_error', { requestId });
  }
}
