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
