import { idempotentPaths } from './api.ts';
import { ApiError } from './errors.ts';
import { type KeptSignIn, memoryStore, renewingOnce, storedSignIn, type TokenStore, type Tokens } from './session.ts';
import type { Answer, AnyOptions, Method, OptionsOf, PathOf, Rest } from './types.ts';
import { supportsProgress, uploadWithProgress } from './upload.ts';

export type ClientOptions = {
  /** The origin of the service, such as `https://study.example.org`; empty for that of the page. */
  baseUrl: string;
  /** The language of messages, or a function that is called for each request; default: the browser's. */
  locale?: Locale | (() => Locale | undefined);
  /** Where `signIn` stores the tokens. */
  store?: TokenStore;
  /** Called when a stored sign-in has ended without `signOut`. */
  onSignedOut?: () => void;
} & Partial<KeptSignIn>;

type Locale = 'en' | 'zh' | 'zh-Hant';

type Credentials = OptionsOf<'post', '/api/auth/login'>['body'];
type Prepared = { method: Method; url: string; headers: Headers; body: string | FormData | null };

/** A 401 of these paths does not mean that the token has expired. */
const isSignIn = (template: string) => /^\/api\/auth\/(login|refresh|browser\/[\w-]+)$/.test(template);

/**
 * A client that is typed by the OpenAPI document, and signed in as one user at a time. With `token` and `renew` the caller manages the
 * tokens, such as a page whose refresh token is in a cookie; otherwise they are in `store`.
 */
export function createClient(options: ClientOptions) {
  const { baseUrl, locale, store = memoryStore(), onSignedOut, token, renew } = options;
  const origin = baseUrl.replace(/\/+$/, '');
  const session = renewingOnce(token && renew ? { token, renew } : storedSignIn(store, exchange));
  /** Milliseconds by which the service's clock is ahead of this machine's. */
  let clockOffset = 0;

  /** Returns new tokens, or undefined if the refresh token is no longer valid. */
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
    if (method === 'post' && idempotentPaths.has(template))
      headers.set('Idempotency-Key', options.idempotencyKey ?? newKey());
    if (typeof options.ifMatch === 'string') headers.set('If-Match', options.ifMatch);
    const body = options.form === undefined ? asJson(options.body) : asForm(options.form);
    return { method, url: `${origin}${path}${asQuery(options.query)}`, headers, body };
  }

  /** Retries a request with an Idempotency-Key once after a network error. */
  async function transmit({ method, url, headers, body }: Prepared, options: AnyOptions): Promise<Response> {
    const { signal, onProgress } = options;
    const init = { method: method.toUpperCase(), headers, ...(signal !== undefined && { signal }) };
    if (body instanceof FormData && onProgress !== undefined && supportsProgress)
      return uploadWithProgress(url, { ...init, body }, onProgress);
    const sentAt = Date.now();
    const attempt = () => fetch(url, { ...init, body, credentials: 'include' });
    const response = await attempt().catch((error: unknown) => {
      if (!headers.has('Idempotency-Key') || signal?.aborted === true) throw error;
      return attempt();
    });
    if (body instanceof FormData && response.ok) onProgress?.(1);
    const date = Date.parse(response.headers.get('Date') ?? '');
    // The header is precise to a second, and the response took time: within these bounds the offset is not changed.
    if (!Number.isNaN(date)) clockOffset = Math.min(Math.max(clockOffset, date - Date.now()), date + 1000 - sentAt);
    return response;
  }

  /**
   * After a 401, renews the token and retries; twice, because the token that another call has renewed during a long
   * upload may have ended, too. Throws ApiError.
   */
  async function send(method: Method, template: string, options: AnyOptions = {}): Promise<Response> {
    const prepared = prepare(method, template, options);
    let token = isSignIn(template) ? undefined : session.token();
    for (let retries = 2; ; retries -= 1) {
      if (token !== undefined) prepared.headers.set('Authorization', `Bearer ${token}`);
      const response = await transmit(prepared, options);
      if (response.ok) return response;
      if (response.status !== 401 || token === undefined || retries === 0) throw await ApiError.of(response);
      token = await session.renew(token);
      if (token === undefined) throw await ApiError.of(response);
    }
  }

  async function call(method: Method, path: string, options?: object): Promise<never> {
    const response = await send(method, path, options as AnyOptions | undefined); // the typed options, erased
    const body = (await response.json()) as { data?: { etag?: string } | null }; // an envelope
    // Proxies that compress responses change the header.
    return { ...body, etag: body.data?.etag ?? response.headers.get('ETag') ?? '' } as never; // the caller's type is that of the document
  }

  return {
    get: <P extends PathOf<'get'>>(path: P, ...[options]: Rest<OptionsOf<'get', P>>): Promise<Answer<'get', P>> =>
      call('get', path, options),
    post: <P extends PathOf<'post'>>(path: P, ...[options]: Rest<OptionsOf<'post', P>>): Promise<Answer<'post', P>> =>
      call('post', path, options),
    put: <P extends PathOf<'put'>>(path: P, ...[options]: Rest<OptionsOf<'put', P>>): Promise<Answer<'put', P>> =>
      call('put', path, options),
    patch: <P extends PathOf<'patch'>>(
      path: P,
      ...[options]: Rest<OptionsOf<'patch', P>>
    ): Promise<Answer<'patch', P>> => call('patch', path, options),
    delete: <P extends PathOf<'delete'>>(
      path: P,
      ...[options]: Rest<OptionsOf<'delete', P>>
    ): Promise<Answer<'delete', P>> => call('delete', path, options),

    /** For exports and images. */
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

    /** Stores the tokens and returns the user. Throws ApiError UNAUTHORIZED for wrong credentials. */
    async signIn(credentials: Credentials) {
      const response = await send('post', '/api/auth/login', { body: credentials });
      const { data } = (await response.json()) as Answer<'post', '/api/auth/login'>;
      store.save({ token: data.token, refresh_token: data.refresh_token });
      return data.user;
    },

    /** Removes the tokens, and revokes the sign-in if the service is reachable. */
    async signOut(): Promise<void> {
      const revocation = session.token() === undefined ? undefined : send('post', '/api/auth/logout');
      store.save(undefined);
      await revocation?.catch(() => undefined);
    },

    isSignedIn: () => session.token() !== undefined,

    /** The service's current time, to about a second. */
    serverTime: () => new Date(Date.now() + clockOffset),
  };
}

export type Client = ReturnType<typeof createClient>;

/** `crypto.randomUUID` is not available on pages that are not served over https. */
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
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
}
