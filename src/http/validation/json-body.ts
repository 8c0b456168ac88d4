import express, { type Request, type Response } from 'express';
import { AppError, PayloadTooLargeError, ValidationError } from '../../errors.ts';

const types = ['application/json', 'application/*+json'];
// Compressed bodies are rejected: a few bytes could expand to many.
const receiver = express.raw({ limit: '100kb', type: () => true, inflate: false });

export type ReceivedBody = { bytes: Buffer | undefined } | { error: unknown };

/** Never throws: `parseJsonBody` reports errors after the sender has been authenticated. */
export async function receiveJsonBody(request: Request, response: Response): Promise<ReceivedBody> {
  if (!hasBody(request)) return { bytes: undefined };
  if (!request.is(types)) return { error: ValidationError.of('body', 'body_must_be_json') };
  return new Promise((resolve) => {
    receiver(request, response, (error?: unknown) => {
      resolve(error === undefined ? { bytes: request.body as Buffer } : { error: bodyError(error) });
    });
  });
}

export function parseJsonBody(received: ReceivedBody, contentType: string | undefined): unknown {
  if ('error' in received) throw received.error;
  if (received.bytes === undefined || received.bytes.length === 0) return undefined;
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8') throw ValidationError.of('body', 'body_must_be_json');
  try {
    return JSON.parse(received.bytes.toString('utf8'));
  } catch {
    throw ValidationError.of('body', 'invalid_json');
  }
}

function hasBody(request: Request): boolean {
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return Number(request.headers['content-length'] ?? 0) > 0;
}

function bodyError(error: unknown): unknown {
  // The receiver sets a 4xx status for errors of the sender.
  if (error instanceof AppError || !(error instanceof Error) || !('status' in error) || error.status === 500)
    return error;
  const type = 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return new PayloadTooLargeError('100 kB');
  return ValidationError.of('body', 'body_must_be_json'); // compressed, aborted or of another length
}
