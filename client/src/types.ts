import type { paths } from './api.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that support a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

type OperationOf<M extends Method, P extends PathOf<M>> = paths[P] extends Record<M, infer O> ? O : never;
type Json<R> = R extends { content: { 'application/json': infer J } } ? J : never;
type Part<O, Name extends string> = O extends { parameters: Record<Name, infer T> } ? T : never;
type OptionalPart<O, Name extends string> = O extends { parameters: { [key in Name]?: infer T } } ? T : never;
type Content<O, Type extends string> = O extends { requestBody?: infer R }
  ? R extends { content: Record<Type, infer B> }
    ? B
    : never
  : never;
type Form<B> = { [Field in keyof B]: B[Field] | Blob };

/** The success envelope, including `message` and `requestId`. */
export type Answer<M extends Method, P extends PathOf<M>> =
  OperationOf<M, P> extends { responses: infer R } ? Tagged<Json<R[keyof R & (200 | 201)]>> : never;

/** `etag` identifies the version that was read or written, for `ifMatch`; empty, which matches no version, if there is none. */
type Tagged<Envelope> = Envelope & { etag: string };

type CallOptions = {
  signal?: AbortSignal;
  /** Replaces the generated key, for retries across restarts. */
  idempotencyKey?: string;
  /** The requested content type, such as `audio/wav`. */
  accept?: string;
  /** Upload progress from 0 to 1. In Node.js only the end is reported. */
  onProgress?: (fraction: number) => void;
};

type Params<O> = [Part<O, 'path'>] extends [never] ? { params?: never } : { params: Part<O, 'path'> };
type Query<O> = { query?: OptionalPart<O, 'query'> };
type Body<O> = [Content<O, 'application/json'>] extends [never]
  ? [Content<O, 'multipart/form-data'>] extends [never]
    ? { body?: never }
    : { form: Form<Content<O, 'multipart/form-data'>> }
  : O extends { requestBody: object }
    ? { body: Content<O, 'application/json'> }
    : { body?: Content<O, 'application/json'> };

type Header<O> = NonNullable<OptionalPart<O, 'header'>>;
type Versioned = {
  /** The `etag` that the change is based on: the call fails if it is no longer current. False: the last write wins. */
  ifMatch: string | false;
};
type IfMatch<O> = [Header<O>] extends [{ 'If-Match'?: string }] // of nothing, too
  ? [Header<O>] extends [never]
    ? { ifMatch?: false }
    : Versioned
  : { ifMatch?: false };

export type OptionsOf<M extends Method, P extends PathOf<M>> = CallOptions &
  IfMatch<OperationOf<M, P>> &
  Params<OperationOf<M, P>> &
  Query<OperationOf<M, P>> &
  Body<OperationOf<M, P>>;

/** Options are optional if none of them is required. */
export type Rest<Options> = object extends Options ? [options?: Options] : [options: Options];

/** The options with the types of the path erased. */
export type AnyOptions = CallOptions & {
  ifMatch?: string | false;
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  form?: Readonly<Record<string, unknown>>;
};
