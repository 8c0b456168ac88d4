import type { paths } from './api.ts';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The paths that know a method. */
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

/** What a call answers: the whole success envelope, so that `message` and `requestId` are there too. */
export type Answer<M extends Method, P extends PathOf<M>> =
  OperationOf<M, P> extends { responses: infer R } ? Tagged<Json<R[keyof R & (200 | 201)]>> : never;

/** `etag` names the state that was read or written, for `ifMatch`; empty, and equal to no state, where there is none. */
type Tagged<Envelope> = Envelope & { etag: string };

export type CallOptions = {
  signal?: AbortSignal;
  /** Replaces the key that a creating request gets by itself, to repeat it across restarts. */
  idempotencyKey?: string;
  /** Where the service has several forms of the response: the type that is wanted, such as `audio/wav`. */
  accept?: string;
  /** Uploads: from 0 to 1. In Node only the end is reported. */
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
  /** The `etag` of what the change is based on: when it has changed since, the call fails. False lets the last write win. */
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

/** The options may be left out where nothing in them is required. */
export type Rest<Options> = object extends Options ? [options?: Options] : [options: Options];

/** The same with the types of the path erased. */
export type AnyOptions = CallOptions & {
  ifMatch?: string | false;
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  form?: Readonly<Record<string, unknown>>;
};
