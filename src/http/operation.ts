import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { ErrorCode } from '../error-codes.ts';
import type { AppError } from '../errors.ts';
import type { Actor } from '../features/auth/identity.ts';
import type { Scope } from '../features/auth/scopes.ts';
import type { MessageKey } from '../messages/index.ts';
import type { Store } from '../store.ts';
import type { RateLimit } from './limits/rate-limit.ts';
import type { Cost } from './limits/work-limits.ts';
import type { RequestInfo } from './request/request.ts';
import type { UploadedFile, UploadRule } from './request/upload.ts';
import type { Reply } from './response/envelope.ts';

export type Access = 'public' | 'user' | 'admin';

/** What a handler gets: who asks, and input that has been parsed. It never sees Express. */
export type Context<A extends Access, Params, Query, Body> = {
  actor: A extends 'public' ? undefined : Actor;
  params: Params;
  query: Query;
  body: Body;
  request: RequestInfo;
  /** The version named by `If-Match`; undefined when the last write may win. */
  expectedVersion: number | undefined;
  /** The received file of an operation with `upload`; removed before the answer unless the handler moved it. */
  file: UploadedFile | undefined;
  /**
   * Runs the work of an operation that creates. With an Idempotency-Key it runs in the transaction that also keeps the
   * response, and a repetition gets that response without running anything. An error that is returned instead of thrown
   * rejects the request and still commits what was written, such as a counted attempt.
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
  /** The name in the API reference and in generated clients, e.g. `listProjects`. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  access: A;
  /** What a personal access token needs for it; `none` admits sign-ins only. See scopes.ts for operations that name none. */
  scope?: Scope | 'none';
  params?: P;
  query?: Q;
  body?: B;
  /** The body's schema where it depends on who asks; `body` is then what the reference shows. */
  bodyFor?: (actor: Actor) => z.ZodType<z.output<B>>;
  data?: D;
  extraFields?: z.ZodRawShape;
  /** The other content type of a successful answer, for downloads. */
  produces?: readonly string[];
  status?: 200 | 201 | 202;
  /** With status 201: what it creates may be there already, and is then answered with 200. */
  mayReturnExisting?: boolean;
  message?: MessageKey;
  /** Codes it may answer besides those that follow from its access and input. */
  errors?: readonly ErrorCode[];
  /** For pages of this service alone, because the operation reads a cookie; others are answered with 403. */
  sameOrigin?: boolean;
  /** Open to a user who signed in with a one-time password and has not changed it yet. */
  allowedBeforePasswordChange?: boolean;
  /** Fields that hold passwords or tokens: the response is `no-store`, and stored without them for a retry. */
  secrets?: readonly string[];
  idempotent?: boolean;
  conditional?: boolean;
  upload?: UploadRule;
  /** Allowed before a required second factor is enabled, as is everything that is allowed before a password change. */
  allowedBeforeOtpSetup?: boolean;
  /** Of a public operation: a limit by address of its own, besides the general one. */
  limit?: RateLimit;
  unlimited?: boolean;
  /** The kind of expensive work that a caller may have only little of in progress. */
  cost?: Cost;
  /**
   * Existence and permission of the thing in the path. They come before the body in the order of checks, so this runs
   * when the body or query is wrong, and before an upload is read; otherwise the handler's own check suffices.
   */
  guard?: (context: Pick<Context<A, z.output<P>, unknown, unknown>, 'actor' | 'params'>) => Promise<unknown>;
  /**
   * Responses are cached by reader, language and query, and sent again while what they depend on is unchanged. The
   * handler's reply says what that is. `unless`: the queries of which no response is stored.
   */
  cached?: { unless: (query: z.output<Q>) => boolean };
  handler: (context: Context<A, z.output<P>, z.output<Q>, z.output<B>>) => Promise<Reply<z.input<D>> | ReplyStream>;
};

/** An answer that is no JSON envelope: a picture or an export. */
export type ReplyStream = {
  stream: Readable;
  contentType: string;
  headers?: Readonly<Record<string, string | string[]>>;
};

/** An operation with its types erased, as the router and the API reference take it. */
export type Operation = Omit<
  Definition<Access, z.ZodType, z.ZodObject, z.ZodType, z.ZodType>,
  'handler' | 'guard' | 'bodyFor' | 'cached'
> & {
  cached?: { unless: (query: unknown) => boolean };
  bodyFor?: (actor: Actor) => z.ZodType;
  handler: (context: Context<Access, unknown, unknown, unknown>) => Promise<Reply | ReplyStream>;
  guard?: (context: Pick<Context<Access, unknown, unknown, unknown>, 'actor' | 'params'>) => Promise<unknown>;
};

/** States an operation once: it is mounted, validated, authorised, typed and documented from this value. */
export function operation<
  A extends Access,
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodObject = z.ZodObject<Record<never, never>>,
  B extends z.ZodType = z.ZodUndefined,
  D extends z.ZodType = z.ZodUndefined,
>(definition: Definition<A, P, Q, B, D>): Operation {
  return definition as unknown as Operation; // the adapter hands the handler what its own schemas made
}
