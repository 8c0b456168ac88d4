import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { ErrorCode } from '../error-codes.ts';
import type { AppError } from '../errors.ts';
import type { Actor } from '../features/auth/identity.ts';
import type { Scope } from '../features/auth/scopes.ts';
import type { MessageKey } from '../messages/index.ts';
import type { Store } from '../store.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Reply } from './reply.ts';
import type { RequestInfo } from './request.ts';
import type { UploadedFile, UploadRule } from './upload.ts';
import type { Cost } from './work-limits.ts';

export type Access = 'public' | 'user' | 'admin';

export type Context<A extends Access, Params, Query, Body> = {
  actor: A extends 'public' ? undefined : Actor;
  params: Params;
  query: Query;
  body: Body;
  request: RequestInfo;
  /** The version in `If-Match`; undefined without one, when the last write wins. */
  expectedVersion: number | undefined;
  /** The uploaded file; removed before the response unless the handler has moved it. */
  file: UploadedFile | undefined;
  /**
   * Runs `work`; with an Idempotency-Key, in the transaction that stores the response, which a repetition returns. A returned error,
   * unlike a thrown one, rejects the request but commits what was written, such as a counted attempt.
   */
  once<Data>(work: (store: Store) => Promise<Reply<Data> | AppError>): Promise<Reply<Data>>;
};

type Definition<
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodObject,
  B extends z.ZodType,
  D extends z.ZodType,
> = {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  id: string;
  tag: string;
  summary: string;
  description?: string;
  access: A;
  /** The scope a personal access token needs; `none` allows sign-ins only. Default: see scopes.ts. */
  scope?: Scope | 'none';
  params?: P;
  query?: Q;
  body?: B;
  /** The schema for this caller, where it differs from the documented `body`. */
  bodyFor?: (actor: Actor) => z.ZodType<z.output<B>>;
  data?: D;
  extraFields?: z.ZodRawShape;
  produces?: readonly string[];
  status?: 200 | 201 | 202;
  /** With status 201: returns 200 if the resource already exists. */
  mayReturnExisting?: boolean;
  message?: MessageKey;
  /** Besides the codes that follow from access and input. */
  errors?: readonly ErrorCode[];
  /** For operations that read a cookie: rejects requests from pages of other sites with 403. */
  sameOrigin?: boolean;
  allowedBeforePasswordChange?: boolean;
  /** Fields with passwords or tokens: the response is `no-store`, and stored for a retry without them. */
  secrets?: readonly string[];
  idempotent?: boolean;
  conditional?: boolean;
  upload?: UploadRule;
  /** Implied by `allowedBeforePasswordChange`. */
  allowedBeforeOtpSetup?: boolean;
  limit?: RateLimit;
  unlimited?: boolean;
  cost?: Cost;
  /**
   * Checks existence and permission of the resource in the path. It runs before an upload is read and when body or query are
   * invalid, because these errors take precedence; otherwise the handler's own check suffices.
   */
  guard?: (context: Pick<Context<A, z.output<P>, unknown, unknown>, 'actor' | 'params'>) => Promise<unknown>;
  /** Caches responses by user, language and query, while the reply's `dependsOn` is current. `unless`: queries not to cache. */
  cached?: { unless: (query: z.output<Q>) => boolean };
  handler: (context: Context<A, z.output<P>, z.output<Q>, z.output<B>>) => Promise<Reply<z.input<D>> | ReplyStream>;
};

export type ReplyStream = {
  stream: Readable;
  contentType: string;
  headers?: Readonly<Record<string, string | string[]>>;
};

export type Operation = Omit<
  Definition<Access, z.ZodType, z.ZodObject, z.ZodType, z.ZodType>,
  'handler' | 'guard' | 'bodyFor' | 'cached'
> & {
  cached?: { unless: (query: unknown) => boolean };
  bodyFor?: (actor: Actor) => z.ZodType;
  handler: (context: Context<Access, unknown, unknown, unknown>) => Promise<Reply | ReplyStream>;
  guard?: (context: Pick<Context<Access, unknown, unknown, unknown>, 'actor' | 'params'>) => Promise<unknown>;
};

/** Defines an operation: it is mounted, validated, authorised, typed and documented from this value. */
export function operation<
  A extends Access,
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodObject = z.ZodObject<Record<never, never>>,
  B extends z.ZodType = z.ZodUndefined,
  D extends z.ZodType = z.ZodUndefined,
>(definition: Definition<A, P, Q, B, D>): Operation {
  return definition as unknown as Operation; // the adapter passes what these schemas return
}
