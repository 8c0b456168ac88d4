import type { Request, RequestHandler, Response } from 'express';
import { PermissionDeniedError, UnauthorizedError } from '../errors.ts';
import type { Actor, Identity, IdentityReader } from '../features/auth/identity.ts';
import type { TokenSubject, Tokens } from '../features/auth/tokens.ts';
import type { PersonalTokenReader } from '../features/personal-tokens/personal-token-reader.ts';
import { normaliseAddress } from '../lib/network/address.ts';
import type { Seal } from '../lib/secrets/seal.ts';
import { createCacheKeys } from '../list-cache/cache-keys.ts';
import type { ResponseCache } from '../list-cache/list-cache.ts';
import type { Locale } from '../messages/index.ts';
import type { Store } from '../store.ts';
import { routeKey } from './access-log.ts';
import { assertAccountReady, type RequireOtp } from './account-setup.ts';
import { type Admission, createAdmission } from './admission.ts';
import { expectedVersion } from './etag.ts';
import type { Context, Operation, ReplyStream } from './operation.ts';
import { type GeneralLimits, userKey } from './rate-limit.ts';
import type { Reply } from './reply.ts';
import { assertSameOrigin } from './request/same-origin.ts';
import { originOf, type RequestInfo, requestInfo } from './request.ts';
import { cachedReply } from './response/cached-reply.ts';
import type { Compression } from './response/compression.ts';
import { respond } from './response/respond.ts';
import { once } from './run-once.ts';
import { assertScope, scopeOf } from './scopes.ts';
import { type Received, type ReceiveFile, removeFile } from './upload.ts';
import { type ReceivedBody, receiveJsonBody } from './validation/json-body.ts';
import { type Input, parseInput, parseParams } from './validation/request-input.ts';
import type { WorkLimits } from './work-limits.ts';

export type AdapterOptions = {
  store: Store;
  tokens: Tokens;
  personalTokens: PersonalTokenReader;
  identities: IdentityReader;
  responseCache: ResponseCache;
  defaultLocale: Locale;
  seal: Seal;
  limits: GeneralLimits;
  work: WorkLimits;
  receiveFile: ReceiveFile;
  compression: Compression;
  requireOtp: RequireOtp;
  publicUrl: string | undefined;
};

type AnyContext = Context<Operation['access'], unknown, unknown, unknown>;

/** `subject` comes from the token; the database has not been read yet. */
type Call = {
  operation: Operation;
  request: Request;
  response: Response;
  info: RequestInfo;
  subject: TokenSubject | undefined;
  body: ReceivedBody | undefined;
  queryKeys: ReadonlySet<string>;
  admission: Admission;
  cacheKey: string | undefined;
};

/** The identity is read again after a longer time in a queue. */
const maxIdentityAge = 100; // ms

/**
 * Turns an operation into an Express handler. Order of checks: token, role, path syntax, existence and permission of the resource,
 * query and body, state. Identity and rights are read after the body has arrived, however long that took.
 */
export function createAdapter(options: AdapterOptions) {
  const admission = createAdmission(options);
  return function adapt(operation: Operation): RequestHandler {
    const takesJson = operation.upload === undefined && (operation.body ?? operation.bodyFor) !== undefined;
    const queryKeys = new Set(Object.keys(operation.query?.shape ?? {}));
    const cacheKeyOf = operation.cached && createCacheKeys(operation);
    return async (request, response) => {
      response.locals[routeKey] = operation.path;
      const info = requestInfo(request, options.defaultLocale);
      const subject = await admission.admit(operation, request, response);
      if (operation.sameOrigin === true) assertSameOrigin(info, options.publicUrl);
      const body = takesJson ? await receiveJsonBody(request, response) : undefined;
      const caller = subject === undefined ? `address ${normaliseAddress(info.address)}` : userKey(subject.user_id);
      const cacheKey = subject && cacheKeyOf?.(subject.user_id, info);
      const call = { operation, request, response, info, subject, body, queryKeys, admission, cacheKey };
      // Not limited per caller: reads of identities are batched over all callers.
      const identity = await authenticate(call, options);
      // Health checks do not wait for other requests from the same address.
      if (operation.unlimited === true) return handle(call, identity, options);
      const readAt = performance.now();
      const work = async () => {
        const isOld = performance.now() - readAt > maxIdentityAge;
        await handle(call, isOld ? await authenticate(call, options) : identity, options);
      };
      await options.work.run(caller, operation.cost, work, info.closed);
    };
  };
}

async function handle(call: Call, admitted: Identity | undefined, options: AdapterOptions): Promise<void> {
  const { operation, request, response, info } = call;
  let identity = admitted;
  let received: Received | undefined;
  let reply: Reply | ReplyStream;
  try {
    const params = parseParams(operation, request);
    if (operation.upload !== undefined) {
      await operation.guard?.({ actor: identity?.actor, params });
      received = await options.receiveFile(request, response, operation.upload);
      identity = await authenticate(call, options); // receiving may have taken minutes
    }
    const input = await parseInput(call, { actor: identity?.actor, params, received });
    reply = await readReply(call, identity, input, received, options);
  } finally {
    if (received?.file !== undefined) await removeFile(received.file.path);
  }
  await respond({ operation, request, response, info }, reply, options.compression);
}

function readReply(
  call: Call,
  identity: Identity | undefined,
  input: Input,
  received: Received | undefined,
  options: AdapterOptions,
): Promise<Reply | ReplyStream> {
  const { operation, info, cacheKey: key } = call;
  const read = () => operation.handler(createContext(call, identity?.actor, input, received, options));
  if (key === undefined || identity === undefined) return read();
  const { actor, stamp } = identity;
  const cache = options.responseCache;
  return cachedReply({ cache, key, stamp, userId: actor.id, operation, query: input.query, info }, read);
}

async function authenticate(
  { operation, info, subject, admission, cacheKey }: Call,
  options: AdapterOptions,
): Promise<Identity | undefined> {
  if (subject === undefined) return undefined;
  const { user_id, sign_in_id, scopes } = subject;
  const project_ids = cacheKey === undefined ? [] : options.responseCache.projectIdsOf(cacheKey);
  const identity = await options.identities.read({ user_id, sign_in_id, project_ids });
  if (identity === undefined) {
    admission.reject(subject);
    throw new UnauthorizedError('unauthorized');
  }
  info.user_id = user_id;
  const act = { actor_id: user_id, sign_in_id, role: identity.actor.role, action: operation.id, request_id: info.id };
  const actor = { ...identity.actor, scopes, origin: originOf(info), act };
  assertScope(scopeOf(operation), scopes);
  assertAccountReady(operation, actor, options.requireOtp);
  if (operation.access === 'admin' && actor.role !== 'admin') throw new PermissionDeniedError('admin_only');
  return { actor, stamp: identity.stamp };
}

function createContext(
  { operation, info }: Call,
  actor: Actor | undefined,
  input: Input,
  received: Received | undefined,
  { store, seal }: AdapterOptions,
): AnyContext {
  // No object spread: V8 would not give the object a stable shape, which costs more than the rest.
  return {
    params: input.params,
    query: input.query,
    body: input.body,
    actor,
    request: info,
    file: received?.file,
    expectedVersion: operation.conditional === true ? expectedVersion(info.header('if-match')) : undefined,
    once: (work) =>
      once({ operation, info, userId: actor?.id, params: input.params, body: input.body, store, seal }, work),
  };
}
