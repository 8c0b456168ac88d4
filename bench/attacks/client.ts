import { setTimeout } from 'node:timers/promises';
import type { Behaviour } from './others.ts';

/** The client address that the proxy would pass on, and the access token. */
export type Sender = { address: string; token?: string };
export type Message = {
  method?: 'GET' | 'POST' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  body?: object | FormData;
};
export const post = (path: string, body: object): Message => ({ method: 'POST', path, body });
export const put = (path: string, body: object): Message => ({ method: 'PUT', path, body });
/** `status`: the HTTP status, or the name of an error when there was no response. */
export type Outcome = { status: number | string; text: string };
export type Client = ReturnType<typeof createClient>;

export function createClient(origin: string) {
  async function send({ address, token }: Sender, message: Message): Promise<Outcome> {
    const { method = 'GET', path, headers, body } = message;
    const isForm = body instanceof FormData;
    const json = body !== undefined && !isForm && { 'content-type': 'application/json' };
    const all = { 'x-forwarded-for': address, ...json, ...(token && { authorization: `Bearer ${token}` }), ...headers };
    const sent = isForm ? { body } : body === undefined ? {} : { body: JSON.stringify(body) };
    try {
      const signal = AbortSignal.timeout(120_000);
      const response = await fetch(`${origin}${path}`, { method, headers: all, signal, ...sent });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      return { status: error instanceof Error ? error.name : 'error', text: '' };
    }
  }

  /** The `data` of a response, for preparations: repeated while the service is overloaded. Throws if the request failed. */
  async function data<T>(sender: Sender, message: Message, attempts = 10): Promise<T> {
    const { status, text } = await send(sender, message);
    if (status === 503 && attempts > 1) {
      await setTimeout(2_000);
      return data(sender, message, attempts - 1);
    }
    if (status !== 200 && status !== 201) throw new Error(`${message.path}: ${status} ${text.slice(0, 300)}`);
    return JSON.parse(text).data; // the tests check it against the OpenAPI document
  }

  /** Says how the other servers answer from now on. */
  const behave = (others: string, behaviour: Behaviour) => fetch(`${others}/${behaviour}`, { method: 'PUT' });

  return { send, data, behave };
}

/** A form with one file. */
export function fileForm(path: string, field: string, file: Buffer | string, fields = {}): Message {
  const body = new FormData();
  for (const [name, value] of Object.entries<string>(fields)) body.set(name, value);
  body.set(field, new Blob([typeof file === 'string' ? file : Uint8Array.from(file)]), 'file');
  return { method: 'POST', path, body };
}
