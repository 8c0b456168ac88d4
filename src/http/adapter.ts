import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Database } from '../db/database.ts';
import { PayloadTooLargeError, PermissionDeniedError, UnauthorizedError, ValidationError } from '../errors.ts';
import type { Actor, IdentityReader } from '../features/auth/identity.ts';
import type { TokenSubject, Tokens } from '../features/auth/tokens.ts';
import { normaliseAddress } from '../lib/address.ts';
import type { Seal } from '../lib/seal.ts';
import type { Locale } from '../messages/index.ts';
import { routeKey } from './access-log.ts';
import { assertAccountReady, type RequireOtp } from './account-setup.ts';
import { contentTag, expectedVersion, isKnown } from './conditional.ts';
import { type Reply, successText } from './envelope.ts';
import { readClaim, runOnce } from './idempotency.ts';
import { parsePart, readQuery } from './input.ts';
import { parseJsonBody, type ReceivedBody, receiveJsonBody } from './json-body.ts';
import type { Context, Operation, ReplyStream } from './operation.ts';
import { type GeneralLimits, userKey } from './rate-limit.ts';
import { originOf, type RequestInfo, requestInfo } from './request.ts';
import { secretHeaders, withoutSecrets } from './secrets.ts';
import { sendStream, sendText } from './send.ts';
import { type Received, type ReceiveFile, removeFile } from './upload.ts';
import type { WorkLimits } from './work-limits.ts';

export type AdapterOptions = {
  database: Database;
  tokens: Tokens;
  identities: IdentityReader;
  defaultLocale: Locale;
  /** Seals the answers kept for an Idempotency-Key. */
  seal: Seal;
  limits: GeneralLimits;
  work: WorkLimits;
  receiveFile: ReceiveFile;
  /** Who must have a second factor. */
  requireOtp: RequireOtp;
};

type AnyContext = Context<Operation['access'], unknown, unknown, unknown>;
type Input = { params: unknown; query: unknown; body: unknown };

/** A request on its way through an operation; `subject` is whose token it carries, not yet looked up. */
type Call = {
  operation: Operation;
  request: Request;
  response: Response;
  info: RequestInfo;
  subject: TokenSubject | undefined;
  body: ReceivedBody | undefined;
  queryKeys: ReadonlySet<string>;
};

/** After so long in a queue the identity is read again. */
const identitySeconds = 0.1;

/** Sign-ins that were just rejected: their requests count against the address, before the database is asked again. */
const rejected = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });

/**
 * Turns an operation into an Express handler. The order of checks is the interface's: token, role, syntax of the path,
 * existence and permission of the thing in it, query and body, state. Who the caller is and what they may do is read after
 * their input has arrived, however long that took.
 */
export function createAdapter(options: AdapterOptions) {
  return function adapt(operation: Operation): RequestHandler {
    const takesJson = operation.upload === undefined && (operation.body ?? operation.bodyFor) !== undefined;
    const queryKeys = new Set(Object.keys(operation.query?.shape ?? {}));
    return async (request, response) => {
      response.locals[routeKey] = operation.path;
      const info = requestInfo(request, options.defaultLocale);
      const subject = await admit(operation, request, response, options);
      const body = takesJson ? await receiveJsonBody(request, response) : undefined;
      const caller = subject === undefined ? `address ${normaliseAddress(info.address)}` : userKey(subject.user_id);
      const call = { operation, request, response, info, subject, body, queryKeys };
      // Reading identities is batched over all callers and waits for nobody; what follows has its caller's room.
      const actor = await authenticate(call, options);
      // Health checks answer however much else the same address has sent.
      if (operation.unlimited === true) return handle(call, actor, options);
      const asked = performance.now();
      const work = async () => {
        const isOld = performance.now() - asked > identitySeconds * 1000;
        await handle(call, isOld ? await authenticate(call, options) : actor, options);
      };
      await options.work.run(caller, operation.cost, work, info.closed);
    };
  };
}

/** Counts the request against the limit of its user or address. Throws UnauthorizedError without a valid token. */
async function admit(
  operation: Operation,
  request: Request,
  response: Response,
  { tokens, limits }: AdapterOptions,
): Promise<TokenSubject | undefined> {
  if (operation.unlimited === true) return undefined;
  if (operation.access === 'public') {
    await limits.address(request, response);
    await operation.limit?.(request, response);
    return undefined;
  }
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const subject = token === undefined ? undefined : tokens.check(token);
  if (subject !== undefined && !rejected.has(subject.sign_in_id)) {
    const key = userKey(subject.user_id);
    await limits.user(request, response, key);
    if (operation.cost !== undefined) await limits.costs[operation.cost]?.(request, response, key);
    return subject;
  }
  await limits.address(request, response);
  if (subject === undefined) throw new UnauthorizedError('unauthorized');
  return subject;
}

async function handle(call: Call, admitted: Actor | undefined, options: AdapterOptions): Promise<void> {
  const { operation, request, response, info } = call;
  let actor = admitted;
  let received: Received | undefined;
  let reply: Reply | ReplyStream;
  try {
    const params = parseParams(operation, request);
    if (operation.upload !== undefined) {
      await operation.guard?.({ actor, params });
      received = await options.receiveFile(request, response, operation.upload);
      actor = await authenticate(call, options); // receiving may have taken minutes
    }
    const input = await parseInput(call, { actor, params, received });
    reply = await operation.handler(createContext(call, actor, input, received, options));
  } finally {
    if (received?.file !== undefined) await removeFile(received.file.path);
  }
  answer(operation, request, response, info, reply);
}

/** The caller as the database knows them now. Throws UnauthorizedError and PermissionDeniedError. */
async function authenticate({ operation, info, subject }: Call, options: AdapterOptions): Promise<Actor | undefined> {
  if (subject === undefined) return undefined;
  const { user_id, sign_in_id } = subject;
  const project_ids = operation.cachedVersionIds?.(user_id, info) ?? [];
  const actor = await options.identities.read({ user_id, sign_in_id, project_ids });
  if (actor === undefined) {
    rejected.set(sign_in_id, true);
    throw new UnauthorizedError('unauthorized');
  }
  info.user_id = actor.id;
  actor.origin = originOf(info);
  assertAccountReady(operation, actor, options.requireOtp);
  if (operation.access === 'admin' && actor.role !== 'admin') throw new PermissionDeniedError('admin_only');
  actor.act = { actor_id: actor.id, sign_in_id, role: actor.role, action: operation.id, request_id: info.id };
  return actor;
}

function parseParams(operation: Operation, request: Request): unknown {
  if (operation.params === undefined) return undefined;
  const parsed = parsePart(operation.params, request.params, 'path');
  if (!parsed.ok) throw new ValidationError(parsed.errors);
  return parsed.value;
}

type Known = { actor: Actor | undefined; params: unknown; received: Received | undefined };

/** Parses query and body together, so that every failing field is named at once. */
async function parseInput(call: Call, { actor, params, received }: Known): Promise<Input> {
  try {
    const query = parseQuery(call);
    const body = parseBody(call, actor, received);
    const errors = [query, body].flatMap((part) => (part.ok ? [] : part.errors));
    if (!query.ok || !body.ok) throw new ValidationError(errors);
    return { params, query: query.value, body: body.value };
  } catch (error) {
    // A wrong body on a thing that is not there, or not the caller's, is answered for the thing.
    if (error instanceof ValidationError || error instanceof PayloadTooLargeError)
      await call.operation.guard?.({ actor, params });
    throw error;
  }
}

function parseQuery({ operation, request, queryKeys }: Call) {
  const mark = request.url.indexOf('?');
  const given = readQuery(mark === -1 ? '' : request.url.slice(mark + 1), queryKeys);
  if (!given.ok || operation.query === undefined) return given;
  return parsePart(operation.query, given.value, 'query');
}

function parseBody({ operation, request, body }: Call, actor: Actor | undefined, received: Received | undefined) {
  const schema = (actor && operation.bodyFor?.(actor)) ?? operation.body;
  if (schema === undefined) return { ok: true as const, value: undefined };
  const input = body === undefined ? received?.fields : parseJsonBody(body, request.headers['content-type']);
  return parsePart(schema, input ?? {}, 'body');
}

function createContext(
  { operation, info }: Call,
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
      const claim = readClaim(info.header('idempotency-key'), caller, pathOf(operation, input.params), input.body);
      if (claim === undefined) return work(database);
      return runOnce(database, seal, claim, work, (reply) => ({
        status: reply.status ?? operation.status ?? 200,
        location: reply.location ?? null,
        body: render(operation, withoutSecrets(operation, reply), info).toString(),
      }));
    },
  };
}

/** The path as the operation understands it: of bounded length, whatever was sent. */
function pathOf(operation: Operation, params: unknown): string {
  const values = new Map(Object.entries(params ?? {}));
  return operation.path.replace(/:(\w+)/g, (_, name: string) => String(values.get(name)));
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
  const headers: Record<string, string | string[]> = { ...secretHeaders(operation), ...reply.headers };
  if (etag !== undefined) headers['ETag'] = etag;
  if (reply.location !== undefined) headers['Location'] = reply.location;
  sendText(response, info, known ? 304 : status, known ? undefined : bytes, headers);
}
