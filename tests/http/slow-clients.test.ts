import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../src/boot/http-server.ts';
import { openSocket, readToEnd, statusesIn } from '../support/raw-http.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

// Milliseconds; much more than it takes, for slow machines.
const soon = 60_000;

let app: TestApp;
let user: TestUser;
let server: HttpServer;
beforeAll(async () => {
  app = await startTestApp();
  user = await app.createUser();
  server = await startHttpServer(
    app.app,
    { host: '127.0.0.1', port: 0 },
    {
      headersTimeout: 1000,
      requestTimeout: 2000,
      keepAliveTimeout: 1000,
      silence: 2000,
      connectionsCheckingInterval: 100,
    },
  );
});
afterAll(async () => {
  await server.drain(0);
  await app.stop();
});

/** Each says its text as soon as it is connected: the time for a head runs from there. */
const many = (number: number, say: (socket: Socket) => unknown) =>
  Promise.all(
    Array.from({ length: number }, async () => {
      const socket = await openSocket(server.origin);
      onTestFinished(() => void socket.destroy());
      void say(socket);
      return socket;
    }),
  );

/** What others wait at most while something goes on. */
async function waitOfOthers(until: Promise<unknown>): Promise<number> {
  let longest = 0;
  let over = false;
  const end = until.finally(() => {
    over = true;
  });
  while (!over) {
    const asked = performance.now();
    const answer = await fetch(`${server.origin}/api/projects`, { headers: { Authorization: `Bearer ${user.token}` } });
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    longest = Math.max(longest, performance.now() - asked);
    await Promise.race([delay(20), end]);
  }
  await end;
  return longest;
}

/** Says a little more every now and then, for as long as the other side listens. */
async function drip(socket: Socket, text: string): Promise<void> {
  for (const letter of text) {
    if (socket.destroyed || !socket.writable) return;
    socket.write(letter);
    await delay(50);
  }
}

const head = `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n`;

test.each<[string, number, (socket: Socket) => unknown, number[]]>([
  ['150 that never say a word', 150, () => undefined, [408]],
  ['150 half heads', 150, (socket) => socket.write(head), [408]],
  ['30 heads that drip', 30, (socket) => socket.write(head) && drip(socket, `X: ${'y'.repeat(1000)}`), [408]],
  ['30 bodies that drip', 30, (socket) => socket.write(`${head}\r\n`) && drip(socket, 'y'.repeat(1000)), [408]],
  ['100 that asked once and linger', 100, (socket) => socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'), [200]],
])('%s are cut off, and others are served meanwhile', async (_what, number, say, statuses) => {
  const sockets = await many(number, say);
  const answers = sockets.map((socket) => readToEnd(socket));
  expect(await waitOfOthers(Promise.all(answers))).toBeLessThan(soon);
  for (const answer of await Promise.all(answers)) expect(statusesIn(answer)).toEqual(statuses);
});

test('60 that do not read what they asked for are cut off, take no memory, and others are served meanwhile', async () => {
  const before = process.memoryUsage().rss;
  const sockets = await many(60, (socket) => {
    socket.pause();
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30));
  });
  // They learn of it by writing, since they do not read.
  const cut = expect.poll(() => sockets.filter((socket) => socket.writable && socket.write('\r\n')).length, {
    timeout: 240_000,
  });
  expect(await waitOfOthers(cut.toBe(0))).toBeLessThan(soon);
  expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
});
