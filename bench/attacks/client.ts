import { setTimeout } from 'node:timers/promises';

/** The client address that the proxy would pass on, and the access token. */
export type Sender = { address: string; token?: string };
export type Message = {
  method?: 'GET' | 'POST' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  body?: object | FormData;
};
/** `status`: the HTTP status, or the name of an error when there was no response. */
export type Outcome = { status: number | string; text: string };
export type Client = ReturnType<typeof createClient>;

export function createClient(origin: string) {
  function request({ address, token }: Sender, { method = 'GET', path, headers, body }: Message, seconds: number) {
    const isForm = body instanceof FormData;
    const json = body !== undefined && !isForm && { 'content-type': 'application/json' };
    const all = { 'x-forwarded-for': address, ...json, ...(token && { authorization: `Bearer ${token}` }), ...headers };
    const sent = isForm ? { body } : body === undefined ? {} : { body: JSON.stringify(body) };
    return {
      url: `${origin}${path}`,
      init: { method, headers: all, signal: AbortSignal.timeout(seconds * 1000), ...sent },
    };
  }

  async function send(sender: Sender, message: Message): Promise<Outcome> {
    const { url, init } = request(sender, message, 120);
    try {
      const response = await fetch(url, init);
      return { status: response.status, text: await response.text() };
    } catch (error) {
      return { status: error instanceof Error ? error.name : 'error', text: '' };
    }
  }

  /** Does not read the response for 20 s; a POST sends its body byte by byte. */
  async function hold(sender: Sender, message: Message): Promise<number | string> {
    const end = setTimeout(20_000);
    const { url, init } = request(sender, message, 20);
    const pull = async (controller: ReadableStreamDefaultController) => {
      await setTimeout(1000);
      controller.enqueue(Buffer.from(' '));
    };
    const drip = message.method === 'POST' && { body: new ReadableStream({ pull }), duplex: 'half' as const };
    try {
      const { status } = await fetch(url, { ...init, ...drip });
      if (!drip) await end;
      return status;
    } catch {
      return 'held';
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

  return { send, hold, data };
}

/** A form with one file. */
export function fileForm(
  path: string,
  field: string,
  file: Buffer | string,
  fields: Record<string, string> = {},
): Message {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set(field, new Blob([typeof file === 'string' ? file : Uint8Array.from(file)]), 'file');
  return { method: 'POST', path, body };
}
