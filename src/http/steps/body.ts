import express, { type Request, type RequestHandler } from 'express';
import { jsonErrorPosition } from '../../lib/json-position.ts';
import { AppError, PayloadTooLargeError, ValidationError } from '../../texts/errors.ts';

const types = ['application/json', 'application/*+json'];
const maxBytes = 100 * 1024;
const limit = '100 kB';
/** `limit` counts what is left after decompression. */
const readJson = express.json({ limit: maxBytes, strict: false, type: () => true });

/** Reads a JSON body. The step `validate` reports its error: missing rights and resources take precedence. */
export const body: RequestHandler = (request, response, next) => {
  if (hasBody(request) && !request.is(types)) {
    request.bodyError = ValidationError.of('body', 'body_must_be_json');
    return next();
  }
  useCharsetName(request);
  limitCompressed(request);
  readJson(request, response, (error?: unknown) => {
    if (error !== undefined) request.bodyError = toAppError(error);
    next();
  });
};

function hasBody(request: Request): boolean {
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return Number(request.headers['content-length'] ?? 0) > 0;
}

/** The parser knows only one spelling of UTF-8. */
function useCharsetName({ headers }: Request): void {
  headers['content-type'] = headers['content-type']?.replace(
    /;\s*charset\s*=\s*"?(?:utf[-_]?8|us-ascii)"?\s*(?=;|$)/i,
    '; charset=utf-8',
  );
}

/** A body that decompresses to nothing would otherwise never end. Only a hostile one is larger than what it contains. */
function limitCompressed(request: Request): void {
  if (request.headers['content-encoding'] === undefined) return;
  let received = 0;
  request.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > 2 * maxBytes) request.destroy();
  });
}

function toAppError(error: unknown): unknown {
  // The parser sets a 4xx status for errors of the sender.
  if (error instanceof AppError || !(error instanceof Error) || !('status' in error) || error.status === 500)
    return error;
  const { type, body: text, encoding, charset }: ParserError = error;
  switch (type) {
    case 'entity.too.large':
      return new PayloadTooLargeError(limit);
    case 'entity.parse.failed':
      return typeof text === 'string'
        ? ValidationError.of('body', 'invalid_json', jsonErrorPosition(text))
        : ValidationError.of('body', 'body_broken');
    case 'encoding.unsupported':
      return ValidationError.of('body', 'unsupported_encoding', { encoding: nameOf(encoding) });
    case 'charset.unsupported':
      return ValidationError.of('body', 'unsupported_charset', { charset: nameOf(charset) });
    default:
      return ValidationError.of('body', 'body_broken'); // aborted, of another length, or not what Content-Encoding says
  }
}

type ParserError = Error & { type?: unknown; body?: unknown; encoding?: unknown; charset?: unknown };

const nameOf = (given: unknown) => String(given).slice(0, 40);
