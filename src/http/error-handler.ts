import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { createOutageLog, type Logger } from '../lib/log/logger.ts';
import type { SecurityLog } from '../lib/log/security-log.ts';
import { AppError, InternalError, NotFoundError, UnavailableError, ValidationError } from '../texts/errors.ts';
import { contactFailure, projectFailure } from './reply.ts';
import { errorCodeKey, isContactSide, originOf, type RequestInfo } from './request.ts';

export const routeNotFound: RequestHandler = () => {
  throw new NotFoundError('route_not_found');
};

/** Errors other than AppError are logged and return a fixed text. */
export function createErrorHandler(logger: Logger, securityLog: SecurityLog): ErrorRequestHandler {
  const logFailure = createOutageLog();
  return (raw: unknown, request, response, _next) => {
    const { info } = request;
    const error = asAppError(raw, info.id);
    // Work that stopped because its client disconnected is not a failure.
    const isAborted = response.destroyed && error instanceof UnavailableError;
    if (error.status >= 500 && !isAborted)
      logFailure(error instanceof UnavailableError, (count) =>
        logger.error({ request: info.id, trace: info.traceId, err: raw, ...count }, 'request failed'),
      );
    logSecurityEvent(securityLog, info, error);
    request.releaseSlot?.();
    if (response.headersSent) {
      response.destroy(); // signals that the response is incomplete
      return;
    }
    sendFailure(response, info, error);
  };
}

function logSecurityEvent(securityLog: SecurityLog, info: RequestInfo, error: AppError): void {
  const byStatus = error.status === 403 ? 'access_denied' : error.status === 429 ? 'rate_limited' : undefined;
  const name = error.event?.name ?? byStatus;
  if (name === undefined) return;
  const details = { code: error.code, reason: error.text.key, target_user: error.event?.target_user };
  securityLog.note(name, { id: info.user_id, origin: originOf(info) }, details);
}

function sendFailure(response: Response, info: RequestInfo, error: AppError): void {
  const { status, body } = (isContactSide(info.path) ? contactFailure : projectFailure)(error, info.locale, info.path);
  response.locals[errorCodeKey] = error.code;
  response.status(status).set({ 'Cache-Control': 'private, no-cache', ...error.headers });
  // The unread rest of the body must not be parsed as the next request.
  if (error.status === 413) response.set('Connection', 'close');
  response.json(body);
}

function asAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof URIError) return ValidationError.of('path', 'invalid_url');
  return new InternalError(requestId);
}
