import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { translateDatabaseError } from '../db/errors.ts';
import { AppError, InternalError, NotFoundError, UnavailableError, ValidationError } from '../errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { SecurityLog } from '../lib/security-log.ts';
import type { Locale } from '../messages/index.ts';
import { contactFailure, projectFailure } from './envelope.ts';
import { isContactSide, originOf, type RequestInfo, requestInfo } from './request.ts';
import { sendText } from './send.ts';

/** Every path that nothing else answered. */
export const routeNotFound: RequestHandler = () => {
  throw new NotFoundError('route_not_found');
};

/** The one place where an error becomes an answer. What was not raised on purpose shows a fixed text; the log has the rest. */
export function createErrorHandler(
  logger: Logger,
  securityLog: SecurityLog,
  defaultLocale: Locale,
): ErrorRequestHandler {
  return (raw: unknown, request, response, _next) => {
    const info = requestInfo(request, defaultLocale);
    const error = asAppError(raw, info.id);
    // Work that stopped because its client went away is no failure.
    const isGone = response.closed && error instanceof UnavailableError;
    if (error.status >= 500 && !isGone) logger.error({ request: info.id, err: raw }, 'request failed');
    noteSecurityEvent(securityLog, info, error);
    if (response.headersSent) {
      response.destroy(); // half an answer is out: cutting the connection is the only honest end
      return;
    }
    sendFailure(response, info, error);
  };
}

/** Every denial and every limit that was reached, besides what the error itself names. */
function noteSecurityEvent(securityLog: SecurityLog, info: RequestInfo, error: AppError): void {
  const usual = error.status === 403 ? 'access_denied' : error.status === 429 ? 'rate_limited' : undefined;
  const name = error.event?.name ?? usual;
  if (name === undefined) return;
  const details = { code: error.code, reason: error.text.key, target_user: error.event?.target_user };
  securityLog.note(name, { id: info.user_id, origin: originOf(info) }, details);
}

export function sendFailure(response: Response, info: RequestInfo, error: AppError): void {
  const { status, body } = (isContactSide(info.path) ? contactFailure : projectFailure)(error, info.locale);
  // The rest of a body that was refused unread must not be taken for the next request.
  const unread = error.status === 413 ? { Connection: 'close' } : {};
  sendText(response, info, status, Buffer.from(JSON.stringify(body)), { ...error.headers, ...unread });
}

function asAppError(raw: unknown, requestId: string): AppError {
  const error = translateDatabaseError(raw);
  if (error instanceof AppError) return error;
  if (error instanceof URIError) return ValidationError.of('path', 'invalid_url');
  return new InternalError(requestId);
}
