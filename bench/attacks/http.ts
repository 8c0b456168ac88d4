import { Agent, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';

/** The client address that the proxy would pass on, and the access token. */
export type Sender = { address: string; token?: string };

export type Message = {
  method?: 'GET' | 'POST' | 'PUT';
  path: string;
  headers?: OutgoingHttpHeaders;
  /** An object is sent as JSON, a buffer unchanged with the content type of `headers`. */
  body?: object | Buffer;
};

/** `status`: the HTTP status, or an error code when there was no response. */
export type Outcome = { status: number | string; body: Buffer };

const timeoutSeconds = 120;

export type Client = ReturnType<typeof createClient>;

/** Sends requests over keep-alive connections. */
export function createClient(origin: string) {
  const agent = new Agent({ keepAlive: true });

  /** The caller sends the body and reads the response. */
  function open(sender: Sender, message: Message, agent: Agent | false = false): ClientRequest {
    const headers: OutgoingHttpHeaders = { 'x-forwarded-for': sender.address, ...message.headers };
    if (sender.token !== undefined) headers['authorization'] = `Bearer ${sender.token}`;
    return request(`${origin}${message.path}`, { method: message.method ?? 'GET', agent, headers });
  }

  return {
    open,
    send(sender: Sender, message: Message): Promise<Outcome> {
      const body = Buffer.isBuffer(message.body) || !message.body ? message.body : JSON.stringify(message.body);
      const type = typeof body === 'string' && { 'content-type': 'application/json' };
      const length = body !== undefined && { 'content-length': Buffer.byteLength(body) };
      const request = open(sender, { ...message, headers: { ...type, ...length, ...message.headers } }, agent);
      request.setTimeout(timeoutSeconds * 1000, () => request.destroy(Object.assign(new Error(), { code: 'timeout' })));
      request.end(body);
      return outcomeOf(request);
    },
    close: () => agent.destroy(),
  };
}

export function outcomeOf(request: ClientRequest): Promise<Outcome> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? 'error', body: Buffer.alloc(0) });
    request.on('error', fail);
    request.once('response', (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
  });
}

/** The `data` of a response; throws if the request failed. */
export async function expectData<T>(outcome: Promise<Outcome>): Promise<T> {
  const { status, body } = await outcome;
  if (typeof status !== 'number' || status >= 300) throw new Error(`preparing: ${status} ${body.toString()}`);
  return JSON.parse(body.toString()).data as T; // checked against the OpenAPI document by the tests
}

/** A form with one file. */
export function fileForm(field: string, filename: string, file: Buffer, fields: Record<string, string> = {}) {
  const boundary = 'bench-attacks';
  const part = (head: string, data: Buffer | string) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(data),
      Buffer.from('\r\n'),
    ]);
  const parts = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value));
  const content = part(`name="${field}"; filename="${filename}"\r\nContent-Type: application/octet-stream`, file);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...parts, content, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
