import express, { type Request, type Response } from 'express';
import { AppError, PayloadTooLargeError, ValidationError } from '../errors.ts';

const limit = '100kb';
const parser = express.json({ limit, type: ['application/json', 'application/*+json'] });

/**
 * Reads the JSON body of a request whose caller is known. No body at all reads as undefined.
 * Throws ValidationError or PayloadTooLargeError.
 */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  if (!request.is(['application/json', 'application/*+json'])) throw ValidationError.of('body', 'body_must_be_json');
  await new Promise<void>((resolve, reject) => {
    parser(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(bodyError(error))));
  });
  return request.body;
}

function hasBody(request: Request): boolean {
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return Number(request.headers['content-length'] ?? 0) > 0;
}

function bodyError(error: unknown): unknown {
  // The parser gives every fault of the sender such a status; of a broken compression it says no more than that.
  if (error instanceof AppError || !(error instanceof Error) || !('status' in error) || error.status === 500)
    return error;
  const type = 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return new PayloadTooLargeError('100 kB');
  if (type === 'entity.parse.failed') return ValidationError.of('body', 'invalid_json');
  return ValidationError.of('body', 'body_must_be_json'); // unknown charset or encoding, a cut-off or wrongly sized body
}
