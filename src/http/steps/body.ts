import express, { type Request, type RequestHandler } from 'express';
import { AppError, PayloadTooLargeError, ValidationError } from '../../errors.ts';

const types = ['application/json', 'application/*+json'];
// Compressed bodies are rejected: a few bytes could expand to many.
const readJson = express.json({ limit: '100kb', inflate: false, strict: false, type: () => true });

/** Reads a JSON body. The step `validate` reports its error: missing rights and resources take precedence. */
export const body: RequestHandler = (request, response, next) => {
  if (hasBody(request) && !request.is(types)) {
    request.bodyError = ValidationError.of('body', 'body_must_be_json');
    return next();
  }
  readJson(request, response, (error?: unknown) => {
    if (error !== undefined) request.bodyError = toAppError(error);
    next();
  });
};

function hasBody(request: Request): boolean {
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return Number(request.headers['content-length'] ?? 0) > 0;
}

function toAppError(error: unknown): unknown {
  // The parser sets a 4xx status for errors of the sender.
  if (error instanceof AppError || !(error instanceof Error) || !('status' in error) || error.status === 500)
    return error;
  const type = 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return new PayloadTooLargeError('100 kB');
  if (type === 'entity.parse.failed') return ValidationError.of('body', 'invalid_json');
  return ValidationError.of('body', 'body_must_be_json'); // compressed, aborted, of another length or character set
}
