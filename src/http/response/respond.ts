import type { Request, Response } from 'express';
import { contentTag, gzipTag, matchesTag } from '../etag.ts';
import type { Operation, ReplyStream } from '../operation.ts';
import { type Reply, successText } from '../reply.ts';
import type { RequestInfo } from '../request.ts';
import { type Compression, minCompressedBytes } from './compression.ts';
import { secretHeaders } from './secrets.ts';
import { sendStream, sendText } from './send.ts';

export function render(operation: Operation, reply: Reply, info: RequestInfo): Buffer {
  return reply.bytes ?? Buffer.from(successText(reply, { key: operation.message ?? 'ok' }, info.locale));
}

type Exchange = { operation: Operation; request: Request; response: Response; info: RequestInfo };

const acceptsGzip = (request: Request) => request.acceptsEncodings('gzip') === 'gzip';

/** `response.vary()` would prevent the faster writeHead with a list. */
const varyHeader = { Vary: 'Accept-Encoding' };

/** Sends a reply, or 304. Responses with secrets are not compressed: their length could reveal parts of them. */
export async function respond(
  { operation, request, response, info }: Exchange,
  reply: Reply | ReplyStream,
  compression: Compression,
): Promise<void> {
  if ('stream' in reply) {
    // gzip would delay events.
    const isText =
      /^(text\/(?!event-stream)|application\/json)/.test(reply.contentType) && operation.secrets === undefined;
    const gzip = isText && request.method !== 'HEAD' && acceptsGzip(request) ? compression.stream() : undefined;
    sendStream(response, info, isText ? { ...reply, headers: { ...reply.headers, ...varyHeader } } : reply, gzip);
    return;
  }
  const bytes = render(operation, reply, info);
  const status = reply.status ?? operation.status ?? 200;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const etag = reply.etag ?? (isRead ? contentTag(bytes) : undefined);
  const isUnmodified = isRead && etag !== undefined && matchesTag(request.headers['if-none-match'], etag);
  const isCompressible = operation.secrets === undefined && bytes.length >= minCompressedBytes;
  const wantsGzip = isCompressible && acceptsGzip(request);
  const compressed = wantsGzip && !isUnmodified ? await compression.bytes(bytes) : undefined;
  const headers: Record<string, string | string[]> = { ...secretHeaders(operation), ...reply.headers };
  if (isCompressible) Object.assign(headers, varyHeader);
  if (compressed !== undefined) headers['Content-Encoding'] = 'gzip';
  if (etag !== undefined)
    headers['ETag'] = compressed !== undefined || (isUnmodified && wantsGzip) ? gzipTag(etag) : etag;
  if (reply.location !== undefined) headers['Location'] = reply.location;
  sendText(response, info, isUnmodified ? 304 : status, isUnmodified ? undefined : (compressed ?? bytes), headers);
}
