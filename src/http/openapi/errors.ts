import { z } from 'zod';
import {
  OtpRequiredError,
  OtpSetupRequiredError,
  PasswordChangeRequiredError,
  PermissionDeniedError,
  UnauthorizedError,
} from '../../texts/access-errors.ts';
import {
  type AppError,
  ConflictError,
  type ErrorCode,
  errorCodes,
  InternalError,
  MethodNotAllowedError,
  NotFoundError,
  PayloadTooLargeError,
  PreconditionFailedError,
  RateLimitedError,
  UnavailableError,
  ValidationError,
} from '../../texts/errors.ts';
import { errorCode, fileColumns } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { contactFailure, projectFailure } from '../reply.ts';
import { isContactSide } from '../request.ts';
import { headerOf } from './text.ts';

const samples: Readonly<Record<ErrorCode, AppError>> = {
  VALIDATION_ERROR: ValidationError.of('name', 'too_short', { minimum: 2 }),
  UNAUTHORIZED: new UnauthorizedError('unauthorized'),
  OTP_REQUIRED: new OtpRequiredError(),
  PERMISSION_DENIED: new PermissionDeniedError('project_not_visible'),
  PASSWORD_CHANGE_REQUIRED: new PasswordChangeRequiredError(),
  OTP_SETUP_REQUIRED: new OtpSetupRequiredError(),
  RESOURCE_NOT_FOUND: new NotFoundError('project_not_found'),
  METHOD_NOT_ALLOWED: new MethodNotAllowedError(['GET']),
  CONFLICT: new ConflictError('CONFLICT', 'conflict'),
  PROJECT_NOT_ACTIVE: new ConflictError('PROJECT_NOT_ACTIVE', 'project_not_active'),
  SESSION_OVERLAP: new ConflictError('SESSION_OVERLAP', 'session_overlap_unknown'),
  TIMER_RUNNING: new ConflictError('TIMER_RUNNING', 'timer_running'),
  NO_TIMER: new ConflictError('NO_TIMER', 'no_timer'),
  LAST_ADMIN: new ConflictError('LAST_ADMIN', 'last_admin'),
  IDEMPOTENCY_MISMATCH: new ConflictError('IDEMPOTENCY_MISMATCH', 'idempotency_mismatch'),
  PRECONDITION_FAILED: new PreconditionFailedError(),
  PAYLOAD_TOO_LARGE: new PayloadTooLargeError('100 kB'),
  RATE_LIMITED: new RateLimitedError(60),
  INTERNAL_ERROR: new InternalError('3f1c9a52-8d0e-4f0b-9d53-0d5a8c1b7e64'),
  SERVICE_UNAVAILABLE: new UnavailableError(),
};

const contactSamples: Partial<Record<ErrorCode, AppError>> = {
  VALIDATION_ERROR: ValidationError.of('email', 'invalid_email'),
  PERMISSION_DENIED: new PermissionDeniedError('admin_only'),
  RESOURCE_NOT_FOUND: new NotFoundError('contact_request_not_found'),
};

const meanings: Readonly<Record<number, string>> = {
  400: 'A parameter, the body or a file is invalid; all invalid fields are named at once.',
  401: 'The token is missing, invalid or expired.',
  403: 'The caller may not do this, or must change a one-time password or enable a second factor first.',
  404: 'It does not exist, or was deleted.',
  409: 'The current state does not allow it.',
  412: 'It has changed since it was read; nothing was done.',
  413: 'The body is too large.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  500: 'An internal error; the message names the request in the log.',
  503: 'The database is unavailable, or the service is overloaded.',
};

const text = z.string().meta({ description: 'In the language of the caller.' });

const projectError = z
  .object({
    success: z.literal(false),
    message: text,
    error: z.object({
      code: errorCode,
      message: z.string().meta({ description: 'The same text as above.' }),
      details: z
        .array(z.object({ field: z.string(), message: z.string(), file_columns: fileColumns.optional() }))
        .optional(),
    }),
  })
  .meta({ id: 'ErrorResponse', description: 'An error of all endpoints except those for contact requests.' });

const contactError = z
  .object({
    success: z.literal(false),
    message: text,
    code: errorCode,
    errors: z.array(z.object({ field: z.string(), msg: z.string() })).optional(),
  })
  .meta({ id: 'ContactError', description: 'An error of the endpoints for contact requests.' });

function possibleCodes(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE', ...(operation.errors ?? [])]);
  if (operation.unlimited !== true) codes.add('RATE_LIMITED');
  if (operation.access !== 'public') codes.add('UNAUTHORIZED');
  if (operation.access !== 'public' || operation.sameOrigin === true) codes.add('PERMISSION_DENIED');
  if (operation.access !== 'public' && operation.allowedBeforePasswordChange !== true) {
    codes.add('PASSWORD_CHANGE_REQUIRED');
    if (operation.allowedBeforeOtpSetup !== true) codes.add('OTP_SETUP_REQUIRED');
  }
  if (operation.params !== undefined || operation.query !== undefined || operation.body !== undefined)
    codes.add('VALIDATION_ERROR');
  if (operation.upload !== undefined || operation.idempotent === true) codes.add('VALIDATION_ERROR');
  if (operation.body !== undefined && operation.upload === undefined) codes.add('PAYLOAD_TOO_LARGE');
  if (operation.idempotent === true) codes.add('CONFLICT').add('IDEMPOTENCY_MISMATCH');
  if (operation.conditional === true) codes.add('PRECONDITION_FAILED');
  return errorCodes.filter((code) => codes.has(code));
}

type Side = 'project' | 'contact';

const sideOf = (operation: Operation): Side => (isContactSide(operation.path) ? 'contact' : 'project');

const failureOf = (side: Side, code: ErrorCode, path: string) =>
  side === 'contact'
    ? contactFailure(contactSamples[code] ?? samples[code], 'en', path)
    : projectFailure(samples[code], 'en');

export function errorResponses(operation: Operation) {
  const side = sideOf(operation);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of possibleCodes(operation)) {
    const { status } = failureOf(side, code, operation.path);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: `${codes.join(', ')}: ${meanings[status] ?? ''}`,
        headers: {
          ...(status === 401 && headerOf('WWW-Authenticate')),
          ...(status === 429 && { ...headerOf('RateLimit'), ...headerOf('RateLimit-Policy') }),
          ...((status === 429 || status === 503) && headerOf('Retry-After')),
        },
        content: {
          'application/json': {
            schema: side === 'contact' ? contactError : projectError,
            examples: Object.fromEntries(
              codes.map((code) => [code, { $ref: `#/components/examples/${side}.${code}` }]),
            ),
          },
        },
      },
    ]),
  );
}

export function errorExamples(operations: readonly Operation[]) {
  return Object.fromEntries(
    operations.flatMap((operation) => {
      const side = sideOf(operation);
      return possibleCodes(operation).map((code) => [
        `${side}.${code}`,
        { summary: code, value: failureOf(side, code, operation.path).body },
      ]);
    }),
  );
}
