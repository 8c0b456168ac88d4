import type { Request, Response } from 'express';
import type { Operation, ReplyStream } from '../operation.ts';
import type { RequestInfo } from '../request/request.ts';
import { type Compression, compressedFrom } from './compression.ts';
import { contentTag, gzipTag, isKnown } from './conditional.ts';
import { type Reply, successText } from './envelope.ts';
import { secretHeaders } from './secrets.ts';
import { sendStream, sendText } from './send.ts';

export function render(operation: Operation, reply: Reply, info: RequestInfo): Buffer {
  return reply.bytes ?? Buffer.from(successText(reply, { key: operation.message ?? 'ok' }, info.locale));
}

type Exchange = { operation: Operation; request: Request; response: Response; info: RequestInfo };

const takesGzip = (request: Request) => request.acceptsEncodings('gzip') === 'gzip';

/** With the other headers: after response.vary() Node would no longer take these as one list, which is much faster. */
const varies = { Vary: 'Accept-Encoding' };

/**
 * Sends a reply; 304 without a body when the client has it already. Compressed when the client asks for it, unless it
 * holds secrets: their length would show how much of a guess in the same body is right.
 */
export async function respond(
  { operation, request, response, info }: Exchange,
  reply: Reply | ReplyStream,
  compression: Compression,
): Promise<void> {
  if ('stream' in reply) {
    // Not events: gzip would hold them back.
    const isText =
      /^(text\/(?!event-stream)|application\/json)/.test(reply.contentType) && operation.secrets === undefined;
    const gzip = isText && request.method !== 'HEAD' && takesGzip(request) ? compression.stream() : undefined;
    sendStream(response, info, isText ? { ...reply, headers: { ...reply.headers, ...varies } } : reply, gzip);
    return;
  }
  const bytes = render(operation, reply, info);
  const status = reply.status ?? operation.status ?? 200;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const etag = reply.etag ?? (reads ? contentTag(bytes) : undefined);
  const known = reads && etag !== undefined && isKnown(request.headers['if-none-match'], etag);
  const mayShrink = operation.secrets === undefined && bytes.length >= compressedFrom;
  const wantsGzip = mayShrink && takesGzip(request);
  const compressed = wantsGzip && !known ? await compression.bytes(bytes) : undefined;
  const headers: Record<string, string | string[]> = { ...secretHeaders(operation), ...reply.headers };
  if (mayShrink) Object.assign(headers, varies);
  if (compressed !== undefined) headers['Content-Encoding'] = 'gzip';
  if (etag !== undefined) headers['ETag'] = compressed !== undefined || (known && wantsGzip) ? gzipTag(etag) : etag;
  if (reply.location !== undefined) headers['Location'] = reply.location;
  sendText(response, info, known ? 304 : status, known ? undefined : (compressed ?? bytes), headers);
}
