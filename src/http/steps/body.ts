import express, { type Request, type RequestHandler } from 'express';
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

/** Line and column, from 1, of the first character at which a text stops being JSON. The parser names it in some of its messages only. */
function jsonErrorPosition(text: string): { line: number; column: number } {
  let [valid, invalid] = [0, text.length + 1];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (canBecomeJson(text.slice(0, middle))) valid = middle;
    else invalid = middle;
  }
  const lines = text.slice(0, valid).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Whether a text is JSON or its beginning. */
function canBecomeJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = String(error);
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    return position === undefined ? message.includes('end of JSON') : Number(position) >= text.length;
  }
}
