import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { onTestFinished } from 'vitest';

export type Received = {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: { type: string; timestamp: string; data: Record<string, unknown> };
};
type Respond = (received: Received, number: number) => number | Promise<number>;

/** A webhook receiver for one test. `respond` returns the status of each response. */
export async function startReceiver(respond: Respond = () => 204) {
  const received: Received[] = [];
  const behaviour = { respond };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString('utf8');
    const { headers } = request;
    const delivery = { id: String(headers['webhook-id']), headers, body, event: JSON.parse(body) };
    received.push(delivery);
    response.statusCode = await behaviour.respond(delivery, received.length);
    response.end(response.statusCode === 204 ? undefined : `status ${response.statusCode}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    types: () => received.map(({ event }) => event.type),
    respondWith: (next: Respond) => {
      behaviour.respond = next;
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Throws unless the signature matches the secret. */
export function verify({ body, headers }: Received, secret: string): void {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  new Webhook(secret).verify(body, {
    'webhook-id': String(id),
    'webhook-timestamp': String(timestamp),
    'webhook-signature': String(signature),
  });
}
