import { pipeline } from 'node:stream';
import { constants } from 'node:zlib';
import compression from 'compression';
import type { Request, RequestHandler, Response } from 'express';
import { contentTag, matchesTag, type Reply, type ReplyStream, render } from '../reply.ts';
import { setBy } from '../request.ts';

/** Not event streams, which it would delay, errors, which repeat input, and secrets, whose parts the length could reveal. */
export const compress = compression({
  threshold: 2048,
  level: constants.Z_BEST_SPEED,
  filter: (request, response) =>
    response.statusCode < 400 &&
    request.operation?.secrets === undefined &&
    !String(response.get('Content-Type')).startsWith('text/event-stream') &&
    compression.filter(request, response),
});

/** Sends the reply, or 304. */
export const respond: RequestHandler = (request, response) => {
  const reply = setBy('handle', request.reply);
  request.releaseSlot?.();
  if ('stream' in reply) sendStream(request, response, reply);
  else if (reply.sendInstead !== undefined) sendStream(request, response, reply.sendInstead);
  else send(request, response, reply);
};

function send(request: Request, response: Response, reply: Reply): void {
  const operation = setBy('limit', request.operation);
  const bytes = render(operation, reply, request.info.locale);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const etag = reply.etag ?? (isRead ? contentTag(bytes) : undefined);
  response.set({
    'Cache-Control': operation.secrets === undefined ? 'private, no-cache' : 'no-store',
    ...(etag !== undefined && { ETag: etag }),
    ...(reply.location !== undefined && { Location: reply.location }),
  });
  const known = request.headers['if-none-match'];
  if (isRead && etag !== undefined && known !== undefined && matchesTag(known, etag)) {
    response.status(304).end();
    return;
  }
  response
    .status(reply.status ?? operation.status ?? 200)
    .set({ 'Content-Type': 'application/json; charset=utf-8', ...reply.headers })
    .send(bytes);
}

/** For HEAD sends the headers only. When the stream fails, the connection is closed, so that the client notices. */
function sendStream(request: Request, response: Response, { stream, contentType, headers }: ReplyStream): void {
  response.set({ 'Cache-Control': 'private, no-store', ...headers });
  response.setHeader('Content-Type', contentType); // `set` would add a character set
  if (request.method !== 'HEAD') {
    pipeline(stream, response, () => undefined);
    return;
  }
  stream.destroy();
  response.end();
}
