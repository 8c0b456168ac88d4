import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { translateDatabaseError } from '../db/errors.ts';
import { AppError, InternalError, NotFoundError, UnavailableError, ValidationError } from '../errors.ts';
import type { Logger } from '../lib/log/logger.ts';
import type { SecurityLog } from '../lib/log/security-log.ts';
import type { Locale } from '../messages/index.ts';
import { errorCodeKey } from './access-log.ts';
import { isContactSide, originOf, type RequestInfo, requestInfo } from './request/request.ts';
import { contactFailure, projectFailure } from './response/envelope.ts';
import { sendText } from './response/send.ts';

/** For paths that nothing else handled. */
export const routeNotFound: RequestHandler = () => {
  throw new NotFoundError('route_not_found');
};

/** The one place where an error becomes a response. What was not raised on purpose shows a fixed text; the log has the rest. */
export function createErrorHandler(
  logger: Logger,
  securityLog: SecurityLog,
  defaultLocale: Locale,
): ErrorRequestHandler {
  return (raw: unknown, request, response, _next) => {
    const info = requestInfo(request, defaultLocale);
    const error = asAppError(raw, info.id);
    // Work that stopped because its client disconnected is no failure.
    const isGone = response.closed && error instanceof UnavailableError;
    if (error.status >= 500 && !isGone) logger.error({ request: info.id, err: raw }, 'request failed');
    logSecurityEvent(securityLog, info, error);
    if (response.headersSent) {
      response.destroy(); // part of the response is sent: closing the connection shows that it is incomplete
      return;
    }
    sendFailure(response, info, error);
  };
}

/** Logs every denial and every limit that was reached, besides what the error itself names. */
function logSecurityEvent(securityLog: SecurityLog, info: RequestInfo, error: AppError): void {
  const byStatus = error.status === 403 ? 'access_denied' : error.status === 429 ? 'rate_limited' : undefined;
  const name = error.event?.name ?? byStatus;
  if (name === undefined) return;
  const details = { code: error.code, reason: error.text.key, target_user: error.event?.target_user };
  securityLog.note(name, { id: info.user_id, origin: originOf(info) }, details);
}

export function sendFailure(response: Response, info: RequestInfo, error: AppError): void {
  const { status, body } = (isContactSide(info.path) ? contactFailure : projectFailure)(error, info.locale);
  // The rest of a body that was rejected unread must not be taken for the next request.
  const unread = error.status === 413 ? { Connection: 'close' } : {};
  response.locals[errorCodeKey] = error.code;
  sendText(response, info, status, Buffer.from(JSON.stringify(body)), { ...error.headers, ...unread });
}

function asAppError(raw: unknown, requestId: string): AppError {
  const error = translateDatabaseError(raw);
  if (error instanceof AppError) return error;
  if (error instanceof URIError) return ValidationError.of('path', 'invalid_url');
  return new InternalError(requestId);
}
