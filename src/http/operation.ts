import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Executor } from '../db/database.ts';
import type { ErrorCode } from '../errors.ts';
import type { Actor } from '../features/auth/identity.ts';
import type { MessageKey } from '../messages/index.ts';
import type { Reply } from './envelope.ts';
import type { RateLimit } from './rate-limit.ts';
import type { RequestInfo } from './request.ts';
import type { UploadedFile, UploadRule } from './upload.ts';
import type { Cost } from './work-limits.ts';

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
   * answer, and a repetition gets that answer without running anything.
   */
  once<Data>(work: (db: Executor) => Promise<Reply<Data>>): Promise<Reply<Data>>;
};

type Definition<
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodObject,
  B extends z.ZodType,
  D extends z.ZodType,
> = {
  method: 'get' | 'post' | 'put' | 'delete';
  /** Express notation: `/api/projects/:id`. */
  path: string;
  /** The name in the API reference and in generated clients, e.g. `listProjects`. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  access: A;
  params?: P;
  query?: Q;
  body?: B;
  /** The body's schema where it depends on who asks; `body` is then what the reference shows. */
  bodyFor?: (actor: Actor) => z.ZodType<z.output<B>>;
  /** The payload of the answer; left out where there is none. */
  data?: D;
  /** Fields of the answer beside `data`. */
  extraFields?: z.ZodRawShape;
  /** The other content type of a successful answer, for downloads. */
  produces?: readonly string[];
  status?: 200 | 201;
  /** With status 201: what it creates may be there already, and is then answered with 200. */
  mayReturnExisting?: boolean;
  message?: MessageKey;
  /** Codes it may answer besides those that follow from its access and input. */
  errors?: readonly ErrorCode[];
  /** Open to a user who signed in with a one-time password and has not changed it yet. */
  allowedBeforePasswordChange?: boolean;
  /**
   * The fields of `data` that hold passwords or tokens. The answer is then `no-store`, and the one stored for an
   * Idempotency-Key is without them.
   */
  secrets?: readonly string[];
  /** Takes an Idempotency-Key. */
  idempotent?: boolean;
  /** Honours If-Match. */
  conditional?: boolean;
  upload?: UploadRule;
  /** Allowed before a required second factor is enabled, as is everything that is allowed before a password change. */
  allowedBeforeOtpSetup?: boolean;
  /** Of a public operation: a limit by address of its own, besides the general one. */
  limit?: RateLimit;
  /** Outside all limits, such as health checks. */
  unlimited?: boolean;
  /** The kind of expensive work that a caller may have only little of in progress. */
  cost?: Cost;
  /**
   * Existence and permission of the thing in the path. They come before the body in the order of checks, so this runs
   * when the body or query is wrong, and before an upload is read; otherwise the handler's own check suffices.
   */
  guard?: (context: Pick<Context<A, z.output<P>, unknown, unknown>, 'actor' | 'params'>) => Promise<unknown>;
  /** The projects that a cached response shows: their versions are read along with the caller's identity. */
  cachedVersionIds?: (userId: number, request: RequestInfo) => readonly number[];
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
  'handler' | 'guard' | 'bodyFor'
> & {
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
