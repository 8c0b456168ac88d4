import { multipart } from '../multipart.ts';
import { onePixel } from '../one-pixel.ts';
import type { Draft } from './draft.ts';
import { type Json, type Kind, type Known, kinds } from './values.ts';

/** A request that is ready to be sent. */
export type Sent = { method: string; path: string; headers: Record<string, string>; body: Buffer | undefined };

/** Ids and names from earlier responses, for later requests. */
export async function createMemory() {
  const values = new Map<Kind, Json[]>(kinds.map((kind) => [kind, []]));
  const captchas: { captcha_id: string; answer: string }[] = [];
  const files: Readonly<Record<string, () => Buffer>> = {
    picture: await onePixel().then((bytes) => () => bytes),
    records: () => Buffer.from(records(recall({ $known: 'project_name', back: 0 }))),
    junk: () => Buffer.alloc(1000, 'junk\n,"'),
  };

  function recall({ $known: kind, back }: Known): Json {
    if (kind === 'captcha') return captchas.at(-1)?.answer ?? 'AAAA';
    if (kind === 'captcha_id') return captchas.at(-1)?.captcha_id ?? '';
    const list = values.get(kind) ?? [];
    return list.at(-1 - (back % Math.max(1, list.length))) ?? 1;
  }

  function add(kind: Kind, value: unknown): void {
    if (typeof value === 'number' || typeof value === 'string') values.get(kind)?.push(value);
  }

  /** Stores the values of a response. */
  function learn(operation: string, body: Record<string, unknown>): void {
    const data = (body['data'] ?? {}) as Record<string, unknown>;
    const created = kindOf[operation];
    if (created !== undefined) add(created, data['id']);
    if (operation === 'createProject') add('project_name', data['name']);
    if (operation === 'createUser') add('username', data['username']);
    if (operation === 'submitContactRequest') add('request', body['requestId']);
    add('refresh', data['refresh_token']);
    const { captcha_id, answer } = data;
    if (typeof captcha_id === 'string' && typeof answer === 'string') captchas.push({ captcha_id, answer });
  }

  function text(value: unknown): string {
    return typeof value === 'string' ? value : (JSON.stringify(value, resolve) ?? '');
  }

  function resolve(_key: string, value: unknown): unknown {
    return isKnown(value) ? recall(value) : value;
  }

  function bodyOf({ operation, body }: Draft): { type: string; bytes: Buffer } | undefined {
    if (body === undefined) return undefined;
    if (!operation.isForm || typeof body !== 'object' || body === null)
      return { type: 'application/json', bytes: Buffer.from(JSON.stringify(body, resolve)) };
    const parts = Object.entries(body).map(([name, value]) => {
      const file = files[String((value as Record<string, unknown> | null)?.['$file'])];
      return file === undefined ? { name, data: text(value) } : { name, filename: 'a.png', data: file() };
    });
    const form = multipart(...parts);
    return { type: form.type, bytes: form.body };
  }

  /** Builds a request with its caller's token. */
  function build(draft: Draft, token: string | undefined): Sent {
    const params =
      draft.path ??
      draft.operation.path.replace(/\{(\w+)\}/g, (_all, name) => segment(text(resolve('', draft.params[name]))));
    const query = draft.query.map(([key, value]) => `${encode(key)}=${encode(text(resolve('', value)))}`).join('&');
    const { type, bytes } = bodyOf(draft) ?? { type: 'application/json', bytes: Buffer.alloc(0) };
    const { raw = bytes } = draft;
    const body = typeof raw === 'function' ? raw(bytes) : Buffer.from(raw);
    const hasBody =
      draft.method !== 'GET' && draft.method !== 'HEAD' && (draft.operation.body !== undefined || body.length > 0);
    return {
      method: draft.method,
      path: query === '' ? params : `${params}?${query}`,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(hasBody && { 'Content-Type': type, 'Content-Length': String(body.length) }),
        ...(params.startsWith('/api/auth/browser/') && { 'Sec-Fetch-Site': 'same-origin' }),
        ...draft.headers,
      },
      body: hasBody ? body : undefined,
    };
  }

  return { build, learn, add, captchas };
}

const kindOf: Readonly<Record<string, Kind>> = {
  createProject: 'project',
  createSession: 'session',
  startTimer: 'session',
  createUser: 'user',
  createGroup: 'group',
};

function isKnown(value: unknown): value is Known {
  return typeof value === 'object' && value !== null && '$known' in value;
}

let rows = 0;
function records(project: Json): string {
  rows += 1;
  const day = new Date(Date.UTC(2000, 0, rows)).toISOString().slice(0, 10);
  return `project_name,started_at,ended_at,note\n"${project}",${day}T08:00:00Z,${day}T09:00:00Z,"a note"\n`;
}

const segment = (text: string) => encode(text).slice(0, 3000);

/** Percent encoding that accepts lone surrogates. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
