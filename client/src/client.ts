import { creatingPaths } from './api.ts';
import { ApiError } from './errors.ts';
import { type KeptSignIn, memoryStore, renewingOnce, storedSignIn, type TokenStore, type Tokens } from './session.ts';
import type { Answer, AnyOptions, Method, OptionsOf, PathOf, Rest } from './types.ts';
import { canTellProgress, uploadWithProgress } from './upload.ts';

export type ClientOptions = {
  /** Where the service is, such as `https://study.example.org`; empty for the page's own origin. */
  baseUrl: string;
  /** The language of messages, also as a function that is asked with each request; by default the browser's. */
  locale?: Locale | (() => Locale | undefined);
  /** Where `signIn` keeps the tokens. */
  store?: TokenStore;
  /** Called when a sign-in of the store has ended without `signOut`: show the sign-in form. */
  onSignedOut?: () => void;
} & Partial<KeptSignIn>;

type Locale = 'en' | 'zh';

type Credentials = OptionsOf<'post', '/api/auth/login'>['body'];
type Prepared = { method: Method; url: string; headers: Headers; body: string | FormData | null };

/** They exchange something else for a token: what they refuse is not a token that could be renewed. */
const isSigningIn = (template: string) => /^\/api\/auth\/(login|refresh|browser\/[\w-]+)$/.test(template);

/**
 * A client of the service: typed by its OpenAPI document, signed in as one user at a time. With `token` and `renew` the
 * sign-in is kept by the caller, as a page does whose refresh token is in a cookie; otherwise in the store.
 */
export function createClient(options: ClientOptions) {
  const { baseUrl, locale, store = memoryStore(), onSignedOut, token, renew } = options;
  const origin = baseUrl.replace(/\/+$/, '');
  const session = renewingOnce(token && renew ? { token, renew } : storedSignIn(store, exchange));
  /** By how many milliseconds the clock of the service is ahead of this machine's. */
  let ahead = 0;

  /** New tokens for a refresh token; undefined when it is good no longer. Other failures are thrown, and change nothing. */
  async function exchange(refresh_token: string): Promise<Tokens | undefined> {
    const prepared = prepare('post', '/api/auth/refresh', { body: { refresh_token } });
    const response = await transmit(prepared, {});
    if (response.ok) return ((await response.json()) as Answer<'post', '/api/auth/refresh'>).data;
    if (response.status !== 401) throw await ApiError.of(response);
    onSignedOut?.();
    return undefined;
  }

  function prepare(method: Method, template: string, options: AnyOptions): Prepared {
    const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(options.params?.[name])));
    const headers = new Headers({ Accept: options.accept ?? 'application/json, */*;q=0.1' });
    const language = typeof locale === 'function' ? locale() : locale;
    if (language !== undefined) headers.set('Accept-Language', language);
    if (options.body !== undefined) headers.set('Content-Type', 'application/json');
    if (method === 'post' && creatingPaths.has(template))
      headers.set('Idempotency-Key', options.idempotencyKey ?? newKey());
    if (typeof options.ifMatch === 'string') headers.set('If-Match', options.ifMatch);
    const body = options.form === undefined ? asJson(options.body) : asForm(options.form);
    return { method, url: `${origin}${path}${asQuery(options.query)}`, headers, body };
  }

  /** One request. One that creates is repeated once when the network fails it: its key keeps it from creating twice. */
  async function transmit({ method, url, headers, body }: Prepared, options: AnyOptions): Promise<Response> {
    const { signal, onProgress } = options;
    const sent = { method: method.toUpperCase(), headers, ...(signal !== undefined && { signal }) };
    if (body instanceof FormData && onProgress !== undefined && canTellProgress)
      return uploadWithProgress(url, { ...sent, body }, onProgress);
    const asked = Date.now();
    const once = () => fetch(url, { ...sent, body, credentials: 'include' });
    const response = await once().catch((error: unknown) => {
      if (!headers.has('Idempotency-Key') || signal?.aborted === true) throw error;
      return once();
    });
    if (body instanceof FormData && response.ok) onProgress?.(1);
    const date = Date.parse(response.headers.get('Date') ?? '');
    // The header has whole seconds, and the response took its time: between these bounds the last reading stays.
    if (!Number.isNaN(date)) ahead = Math.min(Math.max(ahead, date - Date.now()), date + 1000 - asked);
    return response;
  }

  /** Sends with the token; when it is refused, renews it and sends once more. Throws ApiError for a failure. */
  async function send(method: Method, template: string, options: AnyOptions = {}): Promise<Response> {
    const prepared = prepare(method, template, options);
    const token = isSigningIn(template) ? undefined : session.token();
    if (token !== undefined) prepared.headers.set('Authorization', `Bearer ${token}`);
    let response = await transmit(prepared, options);
    if (response.status === 401 && token !== undefined) {
      const renewed = await session.renew(token);
      if (renewed !== undefined) {
        prepared.headers.set('Authorization', `Bearer ${renewed}`);
        response = await transmit(prepared, options);
      }
    }
    if (!response.ok) throw await ApiError.of(response);
    return response;
  }

  async function call(method: Method, path: string, options?: object): Promise<never> {
    const response = await send(method, path, options as AnyOptions | undefined); // the typed options, erased
    const body = (await response.json()) as object; // an envelope
    return { ...body, etag: response.headers.get('ETag') ?? '' } as never; // the border: the caller's type is that of the document
  }

  return {
    get: <P extends PathOf<'get'>>(path: P, ...[options]: Rest<OptionsOf<'get', P>>): Promise<Answer<'get', P>> =>
      call('get', path, options),
    post: <P extends PathOf<'post'>>(path: P, ...[options]: Rest<OptionsOf<'post', P>>): Promise<Answer<'post', P>> =>
      call('post', path, options),
    put: <P extends PathOf<'put'>>(path: P, ...[options]: Rest<OptionsOf<'put', P>>): Promise<Answer<'put', P>> =>
      call('put', path, options),
    delete: <P extends PathOf<'delete'>>(
      path: P,
      ...[options]: Rest<OptionsOf<'delete', P>>
    ): Promise<Answer<'delete', P>> => call('delete', path, options),

    /** A file: an export or a picture. */
    download: async <P extends PathOf<'get'>>(path: P, ...[options]: Rest<OptionsOf<'get', P>>): Promise<Blob> =>
      (await send('get', path, options as AnyOptions | undefined)).blob(), // the typed options, erased

    /** A response that is read while it arrives. */
    stream: async <P extends PathOf<'get'>>(
      path: P,
      ...[options]: Rest<OptionsOf<'get', P>>
    ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> => {
      const { body } = await send('get', path, options as AnyOptions | undefined); // the typed options, erased
      return body ?? new Blob([]).stream();
    },

    /** Signs in and keeps the tokens; answers the user. Throws ApiError UNAUTHORIZED for wrong credentials. */
    async signIn(credentials: Credentials) {
      const response = await send('post', '/api/auth/login', { body: credentials });
      const { data } = (await response.json()) as Answer<'post', '/api/auth/login'>;
      store.save({ token: data.token, refresh_token: data.refresh_token });
      return data.user;
    },

    /** Ends the sign-in, here at once, and at the service if it can be reached. */
    async signOut(): Promise<void> {
      const ending = session.token() === undefined ? undefined : send('post', '/api/auth/logout');
      store.save(undefined);
      await ending?.catch(() => undefined);
    },

    isSignedIn: () => session.token() !== undefined,

    /** Now by the clock of the service, to about a second, as of the last response. */
    serverTime: () => new Date(Date.now() + ahead),
  };
}

export type Client = ReturnType<typeof createClient>;

/** Random, also where the page is not served over https and `crypto.randomUUID` is missing. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function asJson(body: unknown): string | null {
  return body === undefined ? null : JSON.stringify(body);
}

function asForm(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value);
    else if (value !== undefined) form.append(name, String(value));
  }
  return form;
}

function asQuery(query: Readonly<Record<string, unknown>> = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given}`;
}
