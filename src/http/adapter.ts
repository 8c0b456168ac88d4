import type { Request, RequestHandler, Response } from 'express';
import type { Database } from '../db/database.ts';
import { PayloadTooLargeError, PermissionDeniedError, UnauthorizedError, ValidationError } from '../errors.ts';
import type { Actor, IdentityReader } from '../features/auth/identity.ts';
import type { Tokens } from '../features/auth/tokens.ts';
import type { Seal } from '../lib/seal.ts';
import type { Locale } from '../messages/index.ts';
import { routeKey } from './access-log.ts';
import { contentTag, expectedVersion, isKnown } from './conditional.ts';
import { type Reply, successText } from './envelope.ts';
import { readClaim, runOnce } from './idempotency.ts';
import { parsePart, readQuery } from './input.ts';
import { readJsonBody } from './json-body.ts';
import type { Context, Operation, ReplyStream } from './operation.ts';
import type { RateLimit } from './rate-limit.ts';
import { type RequestInfo, requestInfo } from './request.ts';
import { sendStream, sendText } from './send.ts';
import { type Received, type ReceiveFile, removeFile } from './upload.ts';

export type AdapterOptions = {
  database: Database;
  tokens: Tokens;
  identities: IdentityReader;
  defaultLocale: Locale;
  /** Seals the answers kept for an Idempotency-Key. */
  seal: Seal;
  /** The general limit, of every operation. */
  limit: RateLimit;
  receiveFile: ReceiveFile;
};

type AnyContext = Context<Operation['access'], unknown, unknown, unknown>;
type Input = { params: unknown; query: unknown; body: unknown };

/**
 * Turns an operation into an Express handler. The order of checks is the interface's: token, role, syntax of the path,
 * existence and permission of the thing in it, query and body, state.
 */
export function createAdapter(options: AdapterOptions) {
  return function adapt(operation: Operation): RequestHandler {
    const queryKeys = new Set(Object.keys(operation.query?.shape ?? {}));
    return async (request, response) => {
      response.locals[routeKey] = operation.path;
      const info = requestInfo(request, options.defaultLocale);
      const actor = await authenticate(operation, request, info, options);
      await options.limit(request, response, actor);
      await operation.limit?.(request, response, actor);
      if (operation.access === 'admin' && actor?.role !== 'admin') throw new PermissionDeniedError('admin_only');
      let received: Received | undefined;
      let reply: Reply | ReplyStream;
      try {
        const params = parseParams(operation, request);
        if (operation.upload !== undefined) {
          await operation.guard?.({ actor, params });
          received = await options.receiveFile(request, response, operation.upload);
        }
        const input = await parseInput(operation, request, response, { actor, params, queryKeys, received });
        const context = createContext(operation, info, actor, input, received, options);
        reply = await operation.handler(context);
      } finally {
        if (received?.file !== undefined) await removeFile(received.file.path);
      }
      answer(operation, request, response, info, reply);
    };
  };
}

async function authenticate(
  operation: Operation,
  request: Request,
  info: RequestInfo,
  options: AdapterOptions,
): Promise<Actor | undefined> {
  if (operation.access === 'public') return undefined;
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const subject = token === undefined ? undefined : options.tokens.check(token);
  if (subject === undefined) throw new UnauthorizedError('unauthorized');
  const project_ids = operation.peek?.(subject.user_id, info) ?? [];
  const actor = await options.identities.read({
    user_id: subject.user_id,
    sign_in_id: subject.sign_in_id,
    project_ids,
  });
  if (actor === undefined) throw new UnauthorizedError('unauthorized');
  if (actor.role === 'admin') actor.act = { actor_id: actor.id, action: operation.id, request_id: info.id };
  return actor;
}

function parseParams(operation: Operation, request: Request): unknown {
  if (operation.params === undefined) return undefined;
  const parsed = parsePart(operation.params, request.params, 'path');
  if (!parsed.ok) throw new ValidationError(parsed.errors);
  return parsed.value;
}

type Known = {
  actor: Actor | undefined;
  params: unknown;
  queryKeys: ReadonlySet<string>;
  received: Received | undefined;
};

/** Parses query and body together, so that every failing field is named at once. */
async function parseInput(operation: Operation, request: Request, response: Response, known: Known): Promise<Input> {
  const { actor, params } = known;
  try {
    const query = parseQuery(operation, request, known.queryKeys);
    const body = await parseBody(operation, request, response, known);
    const errors = [query, body].flatMap((part) => (part.ok ? [] : part.errors));
    if (!query.ok || !body.ok) throw new ValidationError(errors);
    return { params, query: query.value, body: body.value };
  } catch (error) {
    // A wrong body on a thing that is not there, or not the caller's, is answered for the thing.
    if (error instanceof ValidationError || error instanceof PayloadTooLargeError)
      await operation.guard?.({ actor, params });
    throw error;
  }
}

function parseQuery(operation: Operation, request: Request, known: ReadonlySet<string>) {
  const mark = request.url.indexOf('?');
  const given = readQuery(mark === -1 ? '' : request.url.slice(mark + 1), known);
  if (!given.ok || operation.query === undefined) return given;
  return parsePart(operation.query, given.value, 'query');
}

async function parseBody(operation: Operation, request: Request, response: Response, { actor, received }: Known) {
  const schema = (actor && operation.bodyFor?.(actor)) ?? operation.body;
  if (schema === undefined) return { ok: true as const, value: undefined };
  const input = received === undefined ? await readJsonBody(request, response) : received.fields;
  return parsePart(schema, input ?? {}, 'body');
}

function createContext(
  operation: Operation,
  info: RequestInfo,
  actor: Actor | undefined,
  input: Input,
  received: Received | undefined,
  { database, seal }: AdapterOptions,
): AnyContext {
  // Written out: an object that is spread first and added to has no shape that V8 keeps, and costs more than the rest.
  return {
    params: input.params,
    query: input.query,
    body: input.body,
    actor,
    request: info,
    file: received?.file,
    expectedVersion: operation.conditional === true ? expectedVersion(info.header('if-match')) : undefined,
    once: async (work) => {
      if (operation.idempotent !== true) return work(database);
      const caller = actor === undefined ? `address ${info.address}` : `user ${actor.id}`;
      const claim = readClaim(info.header('idempotency-key'), caller, info.path, input.body);
      if (claim === undefined) return work(database);
      return runOnce(database, seal, claim, work, (reply) => ({
        status: reply.status ?? operation.status ?? 200,
        location: reply.location ?? null,
        body: render(operation, reply, info).toString(),
      }));
    },
  };
}

function render(operation: Operation, reply: Reply, info: RequestInfo): Buffer {
  return reply.bytes ?? Buffer.from(successText(reply, { key: operation.message ?? 'ok' }, info.locale));
}

function answer(
  operation: Operation,
  request: Request,
  response: Response,
  info: RequestInfo,
  reply: Reply | ReplyStream,
): void {
  if ('stream' in reply) {
    sendStream(response, info, reply);
    return;
  }
  const bytes = render(operation, reply, info);
  const status = reply.status ?? operation.status ?? 200;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const etag = reply.etag ?? (reads ? contentTag(bytes) : undefined);
  const known = reads && etag !== undefined && isKnown(request.headers['if-none-match'], etag);
  const headers: Record<string, string | string[]> = { ...reply.headers };
  if (etag !== undefined) headers['ETag'] = etag;
  if (reply.location !== undefined) headers['Location'] = reply.location;
  sendText(response, info, known ? 304 : status, known ? undefined : bytes, headers);
}
