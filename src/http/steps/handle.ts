import { pipeline } from 'node:stream';
import { constants } from 'node:zlib';
import compression from 'compression';
import type { Request, RequestHandler, Response } from 'express';
import type { ListCache } from '../../list-cache/list-cache.ts';
import { AppError } from '../../texts/errors.ts';
import type { Db } from '../../transactions/transactions.ts';
import type { Idempotency } from '../idempotency.ts';
import { type Operation, type Outcome, setBy } from '../operation.ts';
import { render } from '../rendering.ts';
import { contentTag, matchesTag, type Reply, type ReplyStream } from '../reply.ts';
import { type ReceiveFile, removeFile } from '../upload.ts';
import type { WorkLimits } from '../work-limits.ts';

/** Checks path, query and body, in this order of errors: path 400, resource 404 or 403, query and body 400. Receives an upload. */
export function createValidateStep(receiveFile: ReceiveFile): RequestHandler {
  const receive: ReceiveFile = async (request, response, rule) => {
    const received = await receiveFile(request, response, rule);
    const remove = () => void removeFile(received.file.path).catch(() => undefined); // a job removes files that are left
    if (response.destroyed) remove();
    else response.once('close', remove);
    return received;
  };
  return async (request, response, next) => {
    const input = setBy('authenticate', request.input);
    request.work = await input.validate({ request, response, receiveFile: receive });
    next();
  };
}

type Options = { store: Db; idempotency: Idempotency; listCache: ListCache; work: WorkLimits };

/** Runs the handler: from the list cache, or once per Idempotency-Key, or on the pool. */
export function createHandleStep({ store, idempotency, listCache, work }: Options) {
  async function run(operation: Operation, request: Request): Promise<Reply | ReplyStream> {
    const valid = setBy('validate', request.work);
    const isKept = operation.idempotent === true && !valid.isDryRun;
    const claim = isKept ? idempotency.claimOf(operation, request, valid) : undefined;
    const attempt = () => (claim === undefined ? valid.run(store) : idempotency.run(operation, request, claim, valid));
    const outcome = await attempt().catch(async (error: unknown): Promise<Outcome> => {
      if (await valid.recover(error)) return attempt();
      throw error;
    });
    if (outcome instanceof AppError) throw outcome;
    return outcome;
  }

  async function runCached(operation: Operation, request: Request): Promise<Reply | ReplyStream> {
    const { actor, cacheVersion } = setBy('authenticate', request.identity);
    const cacheKey = listCache.keyOf(operation.id, actor.id, request.info.locale, request.input?.cacheKey);
    const cached = listCache.find(cacheKey, actor.role, cacheVersion);
    if (cached !== undefined) return cached;
    const reply = await work.withConnection(request, () => run(operation, request));
    if ('stream' in reply || reply.dependsOn === undefined) return reply;
    const bytes = render(operation, reply, request.info.locale);
    const response = { bytes, etag: contentTag(bytes) };
    listCache.store(cacheKey, { ...response, ...reply.dependsOn, userId: actor.id, role: actor.role });
    return response;
  }

  const runAfterWait = (operation: Operation, request: Request) =>
    work.withConnection(request, () => run(operation, request));

  return (operation: Operation): RequestHandler =>
    async (request, _response, next) => {
      const how = operation.isCached ? runCached : operation.waitsOutside ? runAfterWait : run;
      request.reply = await how(operation, request);
      next();
    };
}

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
    ...deprecationOf(operation, request),
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

/** RFC 9745. Without `Sunset`, because no field has a date of its removal. */
function deprecationOf({ deprecated }: Operation, { body }: Request): { Deprecation?: string } {
  if (deprecated === undefined || !deprecated.fields.some((name) => Object.hasOwn(body ?? {}, name))) return {};
  return { Deprecation: `@${Date.parse(deprecated.since) / 1000}` };
}

/** For HEAD sends the headers only. When the stream fails, the connection is closed, so that the client notices. */
function sendStream(request: Request, response: Response, { stream, contentType, headers }: ReplyStream): void {
  response.set({ 'Cache-Control': 'private, no-store', ...headers });
  response.setHeader('Content-Type', contentType); // `set` would add a character set
  if (request.method !== 'HEAD') {
    response.setMaxListeners(20); // pipeline() adds seven for `close` to the four of the service
    pipeline(stream, response, () => undefined);
    return;
  }
  stream.destroy();
  response.end();
}
