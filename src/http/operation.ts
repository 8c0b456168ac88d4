import type { Request, Response } from 'express';
import type { z } from 'zod';
import { type AppError, PayloadTooLargeError, ValidationError } from '../texts/errors.ts';
import type { RequestKey } from '../transactions/idempotency-repository.ts';
import type { Db } from '../transactions/transactions.ts';
import { expectedVersions, withVersions } from './if-match.ts';
import { parsePart, parseQuery } from './input.ts';
import type { Access, ActorOf, Definition, Description } from './operation-definition.ts';
import type { Reply, ReplyStream } from './reply.ts';
import type { ReceiveFile } from './upload.ts';

export type Outcome = Reply | ReplyStream | AppError;

/** A request whose query has been parsed. Errors of the query are reported by `validate`. */
export type Input = {
  /** The parameters of path and query as JSON; undefined if the response must not be cached. */
  cacheKey: string | undefined;
  validate(received: Received): Promise<Work>;
};

type Received = { request: Request; response: Response; receiveFile: ReceiveFile };

/** A valid request. `params` and `body` identify a repetition of it. */
export type Work = {
  params: unknown;
  body: unknown;
  /** Nothing is stored, not even the response under an Idempotency-Key. */
  isDryRun: boolean;
  run(store: Db, key?: RequestKey): Promise<Outcome>;
  replay: ((id: number) => Promise<Reply>) | undefined;
  recover(error: unknown): Promise<boolean>;
};

export type Operation = Description & {
  isCached: boolean;
  waitsOutside: boolean;
  read(request: Pick<Request, 'url' | 'params'>): Input;
};

/** Defines an operation: it is mounted, validated, authorised, typed and documented from this value. */
export function operation<
  A extends Access,
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodObject = z.ZodObject<Record<never, never>>,
  B extends z.ZodType = z.ZodUndefined,
  D extends z.ZodType = z.ZodUndefined,
  R = undefined,
>(definition: Definition<A, P, Q, B, D, R>): Operation {
  const { guard, outside, prepare = outside, handler, replay, recover, bodyFor, cached, ...description } = definition;
  const queryKeys = new Set(Object.keys(definition.query?.shape ?? {}));

  function read(given: Pick<Request, 'url' | 'params'>): Input {
    const query = parseQuery(definition.query, queryKeys, given.url);

    async function validate({ request, response, receiveFile }: Received): Promise<Work> {
      const { info } = request;
      const actor = actorOf<A>(request);
      const params = parsePart(definition.params, request.params, 'path');
      if (!params.ok) throw new ValidationError(params.errors);
      const known = { actor, params: params.value };
      if (definition.upload !== undefined) await guard?.(known);
      const received = definition.upload && (await receiveFile(request, response, definition.upload));
      try {
        if (request.bodyError !== undefined) throw request.bodyError;
        const schema = bodyFor?.(actor) ?? definition.body;
        const sent = received ? received.fields : request.body;
        const body = parsePart(schema, sent === undefined ? {} : sent, 'body'); // `null` is no object
        if (!query.ok || !body.ok)
          throw new ValidationError([query, body].flatMap((part) => (part.ok ? [] : part.errors)));
        const valid = { ...known, query: query.value, body: body.value, request: info };
        const prepared = (prepare === undefined ? undefined : await prepare(valid)) as R; // undefined is R's default
        const versions = definition.conditional === true ? expectedVersions(info.header('if-match')) : undefined;
        const context = { ...valid, prepared, file: received?.file };
        return {
          params: valid.params,
          body: valid.body,
          isDryRun: Object(valid.query).dry_run === true,
          run: (store, key) =>
            withVersions(versions, (expectedVersion) => handler({ ...context, store, key, expectedVersion })),
          replay: replay && ((id) => replay(context, id)),
          recover: async (error) => (await recover?.(error, actor)) ?? false,
        };
      } catch (error) {
        // A missing or forbidden resource takes precedence over an invalid body.
        if (error instanceof ValidationError || error instanceof PayloadTooLargeError) await guard?.(known);
        throw error;
      }
    }

    const isCacheable = cached !== undefined && query.ok && !cached.unless(query.value);
    return { cacheKey: isCacheable ? JSON.stringify([given.params, query.value]) : undefined, validate };
  }

  return { ...description, isCached: cached !== undefined, waitsOutside: outside !== undefined, read };
}

/** Undefined for public operations; for the others the step `authenticate` has set it. */
function actorOf<A extends Access>({ identity }: Request): ActorOf<A> {
  return identity?.actor as ActorOf<A>;
}
