import { pipeline } from 'node:stream';
import type { Gzip } from 'node:zlib';
import type { Response } from 'express';
import type { ReplyStream } from '../operation.ts';
import type { RequestInfo } from '../request.ts';

export type Headers = Readonly<Record<string, string | string[]>>;

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

export function sendText(
  response: Response,
  info: RequestInfo,
  status: number,
  bytes: Buffer | undefined,
  headers: Headers = {},
): void {
  // Node sends a flat list of names and values without merging objects, which would cost more than sending them.
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

/** For HEAD sends the headers only. When the stream fails, the connection is closed, so that the client notices. */
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
