import { pipeline } from 'node:stream';
import type { Gzip } from 'node:zlib';
import type { Response } from 'express';
import type { ReplyStream } from '../operation.ts';
import type { RequestInfo } from '../request/request.ts';

export type Headers = Readonly<Record<string, string | string[]>>;

/** For every response: it must not be sniffed, framed, or loaded by a page of another site. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

const defaultHeaders = Object.entries({ ...securityHeaders, 'Cache-Control': 'private, no-cache' });

/** Sends a response; `bytes` is undefined for one without a body (304). `headers` replace the default ones. */
export function sendText(
  response: Response,
  info: RequestInfo,
  status: number,
  bytes: Buffer | undefined,
  headers: Headers = {},
): void {
  // Node sends a flat list of names and values as it is. Merging objects would cost more than sending them.
  const list: (string | string[])[] = ['X-Request-Id', info.id];
  for (const [name, value] of defaultHeaders) if (headers[name] === undefined) list.push(name, value);
  if (bytes !== undefined) {
    if (headers['Content-Type'] === undefined) list.push('Content-Type', 'application/json; charset=utf-8');
    list.push('Content-Length', `${bytes.length}`);
  }
  for (const [name, value] of Object.entries(headers)) list.push(name, value);
  response.writeHead(status, list);
  response.end(bytes);
}

/** Sends a stream, through `gzip` if given, or for HEAD the headers alone. When the stream fails, the connection is closed, so that a part is not taken for the whole. */
export function sendStream(
  response: Response,
  info: RequestInfo,
  { stream, contentType, headers = {} }: ReplyStream,
  gzip?: Gzip,
): void {
  response.writeHead(200, {
    ...securityHeaders,
    'Cache-Control': 'private, no-store',
    'X-Request-Id': info.id,
    'Content-Type': contentType,
    ...(gzip !== undefined && { 'Content-Encoding': 'gzip' }),
    ...headers,
  });
  if (response.req.method !== 'HEAD') {
    pipeline(gzip === undefined ? [stream, response] : [stream, gzip, response], () => undefined);
    return;
  }
  stream.destroy();
  response.end();
}
