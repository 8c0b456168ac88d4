import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { translateDatabaseError } from '../db/errors.ts';
import { AppError, InternalError, NotFoundError, UnavailableError, ValidationError } from '../errors.ts';
import type { Logger } from '../lib/logger.ts';
import type { Locale } from '../messages/index.ts';
import { contactFailure, projectFailure } from './envelope.ts';
import { isContactSide, type RequestInfo, requestInfo } from './request.ts';
import { sendText } from './send.ts';

/** Every path that nothing else answered. */
export const routeNotFound: RequestHandler = () => {
  throw new NotFoundError('route_not_found');
};

/** The one place where an error becomes an answer. What was not raised on purpose shows a fixed text; the log has the rest. */
export function createErrorHandler(logger: Logger, defaultLocale: Locale): ErrorRequestHandler {
  return (raw: unknown, request, response, _next) => {
    const info = requestInfo(request, defaultLocale);
    const error = asAppError(raw, info.id);
    // Work that stopped because its client went away is no failure.
    const isGone = response.closed && error instanceof UnavailableError;
    if (error.status >= 500 && !isGone) logger.error({ request: info.id, err: raw }, 'request failed');
    if (response.headersSent) {
      response.destroy(); // half an answer is out: cutting the connection is the only honest end
      return;
    }
    sendFailure(response, info, error);
  };
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
