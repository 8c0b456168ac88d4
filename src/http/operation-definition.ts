import type { z } from 'zod';
import type { Actor, Scope } from '../actor.ts';
import type { AppError, ErrorCode } from '../texts/errors.ts';
import type { MessageKey } from '../texts/index.ts';
import type { RequestKey } from '../transactions/idempotency-repository.ts';
import type { Db } from '../transactions/transactions.ts';
import type { RateLimit } from './limits.ts';
import type { Reply, ReplyStream } from './reply.ts';
import type { RequestInfo } from './request.ts';
import type { UploadedFile, UploadRule } from './upload.ts';
import type { Cost } from './work-limits.ts';

export type Access = 'public' | 'user' | 'admin';

export type ActorOf<A extends Access> = A extends 'public' ? undefined : Actor;

type Context<A extends Access, Params, Query, Body, Prepared = undefined> = {
  actor: ActorOf<A>;
  params: Params;
  query: Query;
  body: Body;
  /** The result of `prepare` or `outside`. */
  prepared: Prepared;
  /** With an Idempotency-Key, the transaction that also stores the response for repetitions, unless the operation has `replay`. */
  store: Db;
  /** Of an operation with `replay`: the handler stores it with the id of what it creates. */
  key: RequestKey | undefined;
  request: RequestInfo;
  /** The version in `If-Match`; undefined without one, when the last write wins. */
  expectedVersion: number | undefined;
  /** The uploaded file; removed after the response unless the handler has moved it. */
  file: UploadedFile | undefined;
};

/** What the document, the limits and the rights of an operation derive from. */
export type Description = {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  id: string;
  /** Other methods and paths of the same operation. */
  aliases?: readonly Pick<Description, 'method' | 'path' | 'id'>[];
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** Of operations of administrators: it applies the scope of those who are limited to groups. Others are closed to them. */
  scoped?: true;
  /** The scope a personal access token needs; `none` allows sign-ins only. Default: see steps/access.ts. */
  scope?: Scope | 'none';
  params?: z.ZodType;
  query?: z.ZodObject;
  body?: z.ZodType;
  data?: z.ZodType;
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
  /** Fields of the body that clients should no longer send: the response to such a request has the header `Deprecation`. */
  deprecated?: { fields: readonly string[]; since: string };
  idempotent?: boolean;
  conditional?: boolean;
  upload?: UploadRule;
  /** Implied by `allowedBeforePasswordChange`. */
  allowedBeforeOtpSetup?: boolean;
  limit?: RateLimit;
  unlimited?: boolean;
  /** A read that shares a connection with those of others, instead of one of the caller's own. */
  batched?: boolean;
  cost?: Cost;
};

type Preparation<A extends Access, P extends z.ZodType, B extends z.ZodType, R> = (
  context: Pick<Context<A, z.output<P>, unknown, z.output<B>>, 'actor' | 'params' | 'body' | 'request'>,
) => Promise<R>;

export type Definition<
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodObject,
  B extends z.ZodType,
  D extends z.ZodType,
  R,
> = Description & {
  access: A;
  params?: P;
  query?: Q;
  body?: B;
  data?: D;
  /** The schema for this caller, where it differs from the documented `body`. */
  bodyFor?: (actor: ActorOf<A>) => z.ZodType<z.output<B>>;
  /** Caches responses by user, language and query, while the reply's `dependsOn` is current. `unless`: queries not to cache. */
  cached?: { unless: (query: z.output<Q>) => boolean };
  /**
   * Checks existence and permission of the resource in the path. It runs before an upload is read and when body or query are
   * invalid, because these errors take precedence; otherwise the handler's own check suffices.
   */
  guard?: (context: Pick<Context<A, z.output<P>, unknown, unknown>, 'actor' | 'params'>) => Promise<unknown>;
  /** What must not happen within a transaction, such as hashing a password. */
  prepare?: Preparation<A, P, B, R>;
  /** The same for what waits for another service: meanwhile the request holds no slot that others need. Instead of `prepare`. */
  outside?: Preparation<A, P, B, R>;
  /** Removes the cause of an error of the handler, which then runs once more; returns false if it cannot. */
  recover?: (error: unknown, actor: ActorOf<A>) => Promise<boolean>;
  /** The response to a repetition, with what the first request created as it is now, instead of the stored first response. */
  replay?: (
    context: Pick<Context<A, unknown, unknown, unknown>, 'actor' | 'request'>,
    id: number,
  ) => Promise<Reply<z.input<D>>>;
  /** A returned error, unlike a thrown one, rejects the request but commits what was written, such as a counted attempt. */
  handler: (
    context: Context<A, z.output<P>, z.output<Q>, z.output<B>, R>,
  ) => Promise<Reply<z.input<D>> | ReplyStream | AppError>;
};
