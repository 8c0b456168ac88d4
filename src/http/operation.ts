import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { VerifiedToken } from '../actor.ts';
import { type AppError, PayloadTooLargeError, PreconditionFailedError, ValidationError } from '../texts/errors.ts';
import type { RequestKey } from '../transactions/idempotency-repository.ts';
import type { Db } from '../transactions/transactions.ts';
import type { Identity } from './caller.ts';
import { maxFormTextUnits, maxTextUnits, parsePart, parseQuery } from './input.ts';
import type { Access, ActorOf, Definition, Description } from './operation-definition.ts';
import type { Reply, ReplyStream } from './reply.ts';
import type { RequestInfo } from './request.ts';
import type { ReceiveFile } from './upload.ts';

const tag = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const list = new RegExp(`^\\s*${tag}(?:\\s*,\\s*${tag})*\\s*$`);
const maxVersions = 10;

/**
 * The versions in `If-Match`, of which one must be current; undefined without one or with `*`, when the last write wins. A proxy that
 * compresses weakens the tag or appends to it: versions are exact all the same. Tags of other resources are -1, which no version equals.
 */
function expectedVersions(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  if (!list.test(header)) throw ValidationError.of('If-Match', 'invalid_if_match');
  const versions = Array.from(header.matchAll(/"([^"]*)"/g), ([, text = '']) => {
    const [, digits] = /^(\d{1,15})(?:[.;-].*)?$/.exec(text) ?? [];
    return digits === undefined ? -1 : Number(digits);
  });
  const distinct = [...new Set(versions)];
  if (distinct.length > maxVersions) throw ValidationError.of('If-Match', 'invalid_if_match');
  return distinct;
}

/** Runs `work` with each expected version until one is current; each time is a transaction of its own. */
async function withVersions<T>(
  versions: readonly number[] | undefined,
  work: (expectedVersion: number | undefined) => Promise<T>,
): Promise<T> {
  const [first, ...others] = versions ?? [];
  if (others.length === 0) return work(first);
  return work(first).catch((error: unknown) => {
    if (error instanceof PreconditionFailedError) return withVersions(others, work);
    throw error;
  });
}

export type Outcome = Reply | ReplyStream | AppError;

/** A request whose query has been parsed. Errors of the query are reported by `validate`. */
type Input = {
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
        const maxUnits = received ? maxFormTextUnits : maxTextUnits;
        const body = parsePart(schema, sent === undefined ? {} : sent, 'body', maxUnits); // `null` is no object
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

export type Route = { method: Operation['method'] | 'patch'; path: string; id: string };

/** The first is the operation's own. A PUT changes only the given fields, so that each is also a PATCH. */
function routesOf(operation: Operation): Route[] {
  return [operation, ...(operation.aliases ?? [])].flatMap(({ method, path, id }) => {
    const route: Route = { method, path, id };
    return method === 'put' ? [route, { method: 'patch', path, id: id.replace(/^[a-z]+/, 'patch') }] : [route];
  });
}

/** Of a list of operations, for what is mounted and what is documented. */
export function routesOfAll(operations: readonly Operation[]): { route: Route; operation: Operation }[] {
  return operations.flatMap((operation) => routesOf(operation).map((route) => ({ route, operation })));
}

declare global {
  namespace Express {
    /** Each step of an operation (mount.ts) sets what the later ones use. */
    interface Request {
      info: RequestInfo;
      operation?: Operation;
      /** From the token, without a look into the database. */
      subject?: VerifiedToken;
      bodyError?: unknown;
      releaseSlot?: () => void;
      input?: Input;
      identity?: Identity;
      work?: Work;
      reply?: Reply | ReplyStream;
    }
  }
}

/** What `step` has set on the request. */
export function setBy<T>(step: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`the step ${step} did not run`);
  return value;
}
