import { pipeline } from 'node:stream';
import type { Response } from 'express';
import type { ReplyStream } from './operation.ts';
import type { RequestInfo } from './request.ts';

export type Headers = Readonly<Record<string, string | string[]>>;

/** Of every answer: nothing of it may be sniffed, framed, or loaded by a page of another site. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

const usualHeaders = Object.entries({ ...securityHeaders, 'Cache-Control': 'private, no-cache' });

/** Ends the answer with ready bytes; undefined for an answer without a body (304). `headers` replace the usual ones. */
export function sendText(
  response: Response,
  info: RequestInfo,
  status: number,
  bytes: Buffer | undefined,
  headers: Headers = {},
): void {
  // A flat list of names and values is what Node sends as it stands. Merging objects would cost more than sending them.
  const list: (string | string[])[] = ['X-Request-Id', info.id];
  for (const [name, value] of usualHeaders) if (headers[name] === undefined) list.push(name, value);
  if (bytes !== undefined) {
    if (headers['Content-Type'] === undefined) list.push('Content-Type', 'application/json; charset=utf-8');
    list.push('Content-Length', `${bytes.length}`);
  }
  for (const [name, value] of Object.entries(headers)) list.push(name, value);
  response.writeHead(status, list);
  response.end(bytes);
}

/** Ends the answer with a stream, or for HEAD without it; when the stream breaks, the connection is cut, so that nobody takes a part for the whole. */
export function sendStream(
  response: Response,
  info: RequestInfo,
  { stream, contentType, headers = {} }: ReplyStream,
): void {
  response.writeHead(200, {
    ...securityHeaders,
    'Cache-Control': 'private, no-store',
    'X-Request-Id': info.id,
    'Content-Type': contentType,
    ...headers,
  });
  if (response.req.method !== 'HEAD') {
    pipeline(stream, response, () => undefined);
    return;
  }
  stream.destroy();
  response.end();
}
