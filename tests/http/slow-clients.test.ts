import type { Socket } from 'node:net';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/boot/http-server.ts';
import { openSocket, readToEnd, statusesIn } from '../support/raw-http.ts';
import { createProject } from '../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

// Milliseconds; generous, for slow machines.
const maximumWait = 60_000;

const timeouts = {
  headersTimeout: 1000,
  requestTimeout: 2000,
  keepAliveTimeout: 1000,
  socketTimeout: 2000,
  connectionsCheckingInterval: 100,
};
const signedIn = ({ token }: TestUser) => ({ Authorization: `Bearer ${token}` });

let app: TestApp;
let user: TestUser;
let server: HttpServer;
beforeAll(async () => {
  app = await startTestApp();
  user = await app.createUser();
  server = await startHttpServer(app.app, { host: '127.0.0.1', port: 0 }, timeouts);
});
afterAll(async () => {
  await server.drain(0);
  await app.stop();
});

/** Each client sends as soon as it is connected, because the headers timeout starts then. */
const openClients = (number: number, send: (socket: Socket) => unknown) =>
  Promise.all(
    Array.from({ length: number }, async () => {
      const socket = await openSocket(server.origin);
      onTestFinished(() => void socket.destroy());
      void send(socket);
      return socket;
    }),
  );

/** The longest response time of other requests until the promise settles. */
async function longestResponse(until: Promise<unknown>): Promise<number> {
  let longest = 0;
  let over = false;
  const end = until.finally(() => {
    over = true;
  });
  while (!over) {
    const sentAt = performance.now();
    const response = await fetch(`${server.origin}/api/projects`, {
      headers: signedIn(user),
    });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    longest = Math.max(longest, performance.now() - sentAt);
    await Promise.race([delay(20), end]);
  }
  await end;
  return longest;
}

/** Sends a byte every 50 ms until there is a response, which is received first: a further byte could reset the closed connection. */
async function drip(socket: Socket, text: string): Promise<void> {
  for (const letter of text) {
    if (socket.destroyed || !socket.writable || socket.bytesRead > 0) return;
    socket.write(letter);
    await delay(50);
    await setImmediate();
  }
}

const head = `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n`;

test.each<[string, number, (socket: Socket) => unknown, number[]]>([
  ['150 clients that send nothing', 150, () => undefined, [408]],
  ['150 clients with incomplete headers', 150, (socket) => socket.write(head), [408]],
  [
    '30 clients that send headers slowly',
    30,
    (socket) => socket.write(head) && drip(socket, `X: ${'y'.repeat(1000)}`),
    [408],
  ],
  [
    '30 clients that send a body slowly',
    30,
    (socket) => socket.write(`${head}\r\n`) && drip(socket, 'y'.repeat(1000)),
    [408],
  ],
  [
    '100 clients that stay connected after one request',
    100,
    (socket) => socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'),
    [200],
  ],
])('%s are disconnected, and others are served in the meantime', async (_what, number, send, statuses) => {
  const sockets = await openClients(number, send);
  const received = sockets.map((socket) => readToEnd(socket));
  expect(await longestResponse(Promise.all(received))).toBeLessThan(maximumWait);
  for (const text of await Promise.all(received)) expect(statusesIn(text)).toEqual(statuses);
});

test('60 clients that do not read are disconnected, use no memory, and others are served in the meantime', async () => {
  const before = process.memoryUsage().rss;
  const sockets = await openClients(60, (socket) => {
    socket.pause();
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30));
  });
  // The sockets are paused, so only a write detects the disconnection.
  const cut = expect.poll(() => sockets.filter((socket) => socket.writable && socket.write('\r\n')).length, {
    timeout: 240_000,
  });
  expect(await longestResponse(cut.toBe(0))).toBeLessThan(maximumWait);
  expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
});

describe('pipelined requests whose client does not read', () => {
  /** After a response that fills the buffers of the connection. */
  async function openPipeline(requests: string): Promise<Socket> {
    const socket = await openSocket(server.origin);
    onTestFinished(() => void socket.destroy());
    socket.pause();
    socket.write(`${'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30)}${requests}`);
    return socket;
  }
  const get = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.token}\r\n\r\n`.repeat(5);

  test('hold no slot after an error, from which others behind their address would be locked out', async () => {
    const body = '{"username":1}';
    const head = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n';
    await openPipeline(`POST /api/auth/login HTTP/1.1\r\n${head}${body}`.repeat(5));
    await openPipeline(get('/api/projects/999999'));
    const signIn = () =>
      fetch(`${server.origin}/api/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ username: 'nobody', password: 'a wrong password' }),
      });
    for (let time = 0; time < 5; time += 1) {
      expect((await signIn()).status).toBe(401);
      expect((await fetch(`${server.origin}/api/timer`, { headers: signedIn(user) })).status).toBe(200);
    }
  });

  test('end with their connection', async () => {
    const other = await app.createUser();
    const socket = await openPipeline(
      `GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${other.token}\r\n\r\n`.repeat(5),
    );
    const events = () => fetch(`${server.origin}/api/events?seconds=0`, { headers: signedIn(other) });
    const statusOf = async () => {
      const response = await events();
      await response.arrayBuffer();
      return response.status;
    };
    await expect.poll(statusOf).toBe(429);
    socket.destroy();
    await expect.poll(statusOf, { timeout: 10_000 }).toBe(200);
  });
});

test('a response that takes longer to prepare than clients may take to read arrives', async () => {
  const project = await createProject(app, user);
  const patient = await startHttpServer(app.app, { host: '127.0.0.1', port: 0 }, { ...timeouts, socketTimeout: 200 });
  onTestFinished(() => patient.drain(0));
  let response: Promise<Response> | undefined;
  await app.transaction(async (query) => {
    await query('SELECT FROM projects WHERE id = $1 FOR UPDATE', [project]);
    response = fetch(`${patient.origin}/api/projects/${project}`, { method: 'DELETE', headers: signedIn(user) });
    await delay(1000);
  });
  expect((await response)?.status).toBe(200);
});
