import { AppError, type FieldError } from './errors.ts';

export class UnauthorizedError extends AppError {
  readonly status = 401;
  readonly code = 'UNAUTHORIZED';
  override readonly headers: Readonly<Record<string, string>> = { 'WWW-Authenticate': 'Bearer' };
}

const tokenFaults = {
  malformed: { key: 'access_token_malformed', description: 'The token is malformed' },
  expired: { key: 'access_token_expired', description: 'The token has expired' },
  revoked: { key: 'access_token_revoked', description: 'The token was revoked' },
} as const;

export type TokenFault = keyof typeof tokenFaults;

/** A token was sent and is not accepted (RFC 6750). */
export class InvalidTokenError extends UnauthorizedError {
  override readonly headers: Readonly<Record<string, string>>;

  constructor(fault: TokenFault) {
    const { key, description } = tokenFaults[fault];
    super(key);
    this.headers = { 'WWW-Authenticate': `Bearer error="invalid_token", error_description="${description}"` };
  }
}

export class OtpRequiredError extends AppError {
  readonly status = 401;
  readonly code = 'OTP_REQUIRED';
  override readonly headers = { 'WWW-Authenticate': 'Bearer' };

  constructor() {
    super('otp_required');
  }
}

export class PermissionDeniedError extends AppError {
  readonly status = 403;
  readonly code = 'PERMISSION_DENIED';
}

/** For administrators who are limited to groups; `fields` names what of the request is outside, if it lists several. */
export class OutOfScopeError extends PermissionDeniedError {
  override readonly details: readonly FieldError[];

  constructor(fields: readonly string[] = []) {
    super('out_of_scope');
    this.details = fields.map((field) => ({ field, message: { key: 'out_of_scope_item' } }));
  }
}

/** For what only administrators of the whole school may set; `fields` names it. */
export class WholeSchoolOnlyError extends PermissionDeniedError {
  override readonly details: readonly FieldError[];

  constructor(fields: readonly string[]) {
    super('whole_school_only');
    this.details = fields.map((field) => ({ field, message: { key: 'whole_school_only_item' } }));
  }
}

export class ScopeRequiredError extends AppError {
  readonly status = 403;
  readonly code = 'PERMISSION_DENIED';
  override readonly headers: Readonly<Record<string, string>>;

  constructor(scope: string) {
    super(scope === 'none' ? 'sign_in_required' : 'scope_required', { scope });
    const needed = scope === 'none' ? '' : `, scope="${scope}"`;
    this.headers = { 'WWW-Authenticate': `Bearer error="insufficient_scope"${needed}` };
  }
}

export class PasswordChangeRequiredError extends AppError {
  readonly status = 403;
  readonly code = 'PASSWORD_CHANGE_REQUIRED';

  constructor() {
    super('password_change_required');
  }
}

export class OtpSetupRequiredError extends AppError {
  readonly status = 403;
  readonly code = 'OTP_SETUP_REQUIRED';

  constructor() {
    super('otp_setup_required');
  }
}
