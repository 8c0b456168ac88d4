import type { Request, RequestHandler } from 'express';
import { AppError } from '../../errors.ts';
import type { ListCache } from '../../list-cache/list-cache.ts';
import type { Store } from '../../store.ts';
import type { Idempotency } from '../idempotency.ts';
import type { Operation, Outcome } from '../operation.ts';
import { contentTag, type Reply, type ReplyStream, render } from '../reply.ts';
import { setBy } from '../request.ts';
import { type ReceiveFile, removeFile } from '../upload.ts';
import type { WorkLimits } from '../work-limits.ts';

/** Checks path, query and body, in this order of errors: path 400, resource 404 or 403, query and body 400. Receives an upload. */
export function createValidateStep(receiveFile: ReceiveFile): RequestHandler {
  const receive: ReceiveFile = async (request, response, rule) => {
    const received = await receiveFile(request, response, rule);
    const remove = () => void removeFile(received.file.path);
    if (response.closed) remove();
    else response.once('close', remove);
    return received;
  };
  return async (request, response, next) => {
    const input = setBy('authenticate', request.input);
    request.work = await input.validate({ request, response, receiveFile: receive });
    next();
  };
}

type Options = { store: Store; idempotency: Idempotency; listCache: ListCache; work: WorkLimits };

/** Runs the handler: from the list cache, or once per Idempotency-Key, or on the pool. */
export function createHandleStep({ store, idempotency, listCache, work }: Options) {
  async function run(operation: Operation, request: Request): Promise<Reply | ReplyStream> {
    const valid = setBy('validate', request.work);
    const claim = operation.idempotent === true ? idempotency.claimOf(operation, request, valid) : undefined;
    const attempt = () => (claim === undefined ? valid.run(store) : idempotency.run(operation, request, claim, valid));
    const outcome = await attempt().catch(async (error: unknown): Promise<Outcome> => {
      if (await valid.recover(error)) return attempt();
      throw error;
    });
    if (outcome instanceof AppError) throw outcome;
    return outcome;
  }

  async function runCached(operation: Operation, request: Request): Promise<Reply | ReplyStream> {
    const { actor, stamp } = setBy('authenticate', request.identity);
    const cacheKey = listCache.keyOf(operation.id, actor.id, request.info.locale, request.input?.cacheKey);
    const cached = listCache.find(cacheKey, actor.role, stamp);
    if (cached !== undefined) return cached;
    const reply = await work.withConnection(request, () => run(operation, request));
    if ('stream' in reply || reply.dependsOn === undefined) return reply;
    const bytes = render(operation, reply, request.info.locale);
    const response = { bytes, etag: contentTag(bytes) };
    listCache.store(cacheKey, { ...response, ...reply.dependsOn, userId: actor.id, role: actor.role });
    return response;
  }

  return (operation: Operation): RequestHandler =>
    async (request, _response, next) => {
      request.reply = await (operation.isCached ? runCached : run)(operation, request);
      next();
    };
}
