import { creatingPaths } from './api.ts';
import { ApiError } from './errors.ts';
import { createSession, memoryStore, type TokenStore, type Tokens } from './session.ts';
import type { Answer, AnyOptions, Method, OptionsOf, PathOf, Rest } from './types.ts';
import { canTellProgress, uploadWithProgress } from './upload.ts';

export type ClientOptions = {
  /** Where the service is, such as `https://study.example.org`; empty for the page's own origin. */
  baseUrl: string;
  store?: TokenStore;
  /** The language of messages; by default the browser's. */
  locale?: 'en' | 'zh';
  /** Called when the sign-in has ended without `signOut`: show the sign-in form. */
  onSignedOut?: () => void;
};

type Credentials = OptionsOf<'post', '/api/auth/login'>['body'];
type Prepared = { method: Method; path: string; url: string; headers: Headers; body: string | FormData | null };

const rememberedTags = 1000;

/** A client of the service: typed by its OpenAPI document, signed in as one user at a time. */
export function createClient({ baseUrl, store = memoryStore(), locale, onSignedOut }: ClientOptions) {
  const origin = baseUrl.replace(/\/+$/, '');
  const session = createSession(store, exchange);
  /** The state of each thing as last read or written here, by its path: what `If-Match` names. */
  const tags = new Map<string, string>();

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
    const headers = new Headers({ Accept: 'application/json, */*;q=0.1' });
    if (locale !== undefined) headers.set('Accept-Language', locale);
    if (options.body !== undefined) headers.set('Content-Type', 'application/json');
    if (method === 'post' && creatingPaths.has(template))
      headers.set('Idempotency-Key', options.idempotencyKey ?? newKey());
    const tag = options.ifMatch ?? (method === 'put' || method === 'delete' ? tags.get(path) : undefined);
    if (tag !== undefined && tag !== false) headers.set('If-Match', tag);
    const body = options.form === undefined ? asJson(options.body) : asForm(options.form);
    return { method, path, url: `${origin}${path}${asQuery(options.query)}`, headers, body };
  }

  /** One request. One that creates is repeated once when the network fails it: its key keeps it from creating twice. */
  async function transmit({ method, url, headers, body }: Prepared, options: AnyOptions): Promise<Response> {
    const { signal, onProgress } = options;
    const sent = { method: method.toUpperCase(), headers, ...(signal !== undefined && { signal }) };
    if (body instanceof FormData && onProgress !== undefined && canTellProgress)
      return uploadWithProgress(url, { ...sent, body }, onProgress);
    const once = () => fetch(url, { ...sent, body, credentials: 'include' });
    const response = await once().catch((error: unknown) => {
      if (!headers.has('Idempotency-Key') || signal?.aborted === true) throw error;
      return once();
    });
    if (body instanceof FormData && response.ok) onProgress?.(1);
    return response;
  }

  /** Sends with the token; when it is refused, renews it and sends once more. Throws ApiError for a failure. */
  async function send(method: Method, template: string, options: AnyOptions = {}): Promise<Response> {
    const prepared = prepare(method, template, options);
    const token = template === '/api/auth/login' ? undefined : session.token();
    if (token !== undefined) prepared.headers.set('Authorization', `Bearer ${token}`);
    let response = await transmit(prepared, options);
    if (response.status === 401 && token !== undefined) {
      const renewed = await session.renewed(token);
      if (renewed !== undefined) {
        prepared.headers.set('Authorization', `Bearer ${renewed}`);
        response = await transmit(prepared, options);
      }
    }
    if (!response.ok) throw await ApiError.of(response);
    remember(prepared, response);
    return response;
  }

  function remember({ method, path }: Prepared, response: Response): void {
    if (method !== 'get') {
      // Whatever was changed below a thing may have changed the thing.
      for (const known of tags.keys()) if (path === known || path.startsWith(`${known}/`)) tags.delete(known);
    }
    const tag = response.headers.get('ETag');
    const place = method === 'post' ? response.headers.get('Location') : path;
    if (tag === null || place === null || method === 'delete') return;
    tags.delete(place);
    tags.set(place, tag);
    const [oldest] = tags.keys();
    if (tags.size > rememberedTags && oldest !== undefined) tags.delete(oldest);
  }

  async function call(method: Method, path: string, options?: object): Promise<never> {
    const response = await send(method, path, options as AnyOptions | undefined); // the typed options, erased
    return (await response.json()) as never; // the border: the caller's type is that of the document
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

    /** Signs in and keeps the tokens; answers the user. Throws ApiError UNAUTHORIZED for wrong credentials. */
    async signIn(credentials: Credentials) {
      const response = await send('post', '/api/auth/login', { body: credentials });
      const { data } = (await response.json()) as Answer<'post', '/api/auth/login'>;
      tags.clear();
      store.save({ token: data.token, refresh_token: data.refresh_token });
      return data.user;
    },

    /** Ends the sign-in, here at once, and at the service if it can be reached. */
    async signOut(): Promise<void> {
      const ending = session.token() === undefined ? undefined : send('post', '/api/auth/logout');
      store.save(undefined);
      tags.clear();
      await ending?.catch(() => undefined);
    },

    isSignedIn: () => session.token() !== undefined,
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
