import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { contactSettings, finishJob, submit } from '../../../support/contact.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock();
const answer = { status: 200 };
const got: { user: string; id: string; status: number }[] = [];
const receiver = createServer((request, response) => {
  got.push({ user: request.url ?? '', id: String(request.headers['webhook-id']), status: answer.status });
  request.resume();
  response.writeHead(answer.status).end();
});
let app: TestApp;
beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  app = await startTestApp({ settings: { ...contactSettings, WEBHOOK_TARGETS: 'any' }, clock });
});
afterEach(() => app.query('DELETE FROM channels'));
afterAll(async () => {
  await app.stop();
  receiver.closeAllConnections();
  receiver.close();
});

/** An administrator who gets a message for each contact request from now on. */
async function subscribe(): Promise<TestUser> {
  const user = await app.createUser({ role: 'admin' });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${user.id}`;
  const channel = { kind: 'url', url, secret: 'hush', new_requests: true };
  await app.as(user).put('/api/me/channel', channel).expect(200);
  clock.advance(1000);
  got.length = 0;
  return user;
}
const until = (seconds: number) => clock.advance(seconds * 1000);
const deliver = async () => {
  await finishJob(app, 'send messages to channels');
  return got.length;
};

test('attempts at a receiver that fails are further and further apart, up to half an hour, and newer messages wait', async () => {
  await subscribe();
  answer.status = 503;
  await submit(app);
  expect(await deliver()).toBe(1);
  await submit(app);
  for (const [failures, wait] of [30, 60, 120, 240, 480, 960, 1800, 1800].entries()) {
    until(wait - 1);
    expect([wait, await deliver()]).toEqual([wait, failures + 1]);
    until(1);
    expect([wait, await deliver()]).toEqual([wait, failures + 2]);
  }
  expect(new Set(got.map(({ id }) => id)).size).toBe(1);
  answer.status = 200;
  until(1800);
  expect([await deliver(), await deliver(), await deliver()]).toEqual([10, 11, 11]);
  expect(got.slice(-2).map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(got.map(({ id }) => id)).size).toBe(2);
});

test('a message is given up after a day, and the next one is sent at once', async () => {
  await subscribe();
  answer.status = 503;
  await submit(app);
  expect(await deliver()).toBe(1);
  until(24 * 3600);
  answer.status = 200;
  expect(await deliver()).toBe(1);
  await submit(app);
  expect(await deliver()).toBe(2);
});

test('the receiver of one person delays no message of another', async () => {
  const [first, second] = [await subscribe(), await subscribe()];
  answer.status = 503;
  await submit(app);
  await deliver();
  expect(got.map(({ user }) => user).toSorted()).toEqual([`/${first.id}`, `/${second.id}`].toSorted());
  await app.as(first).delete('/api/me/channel').expect(200);
  answer.status = 200;
  until(30);
  await deliver();
  expect(got.at(-1)).toMatchObject({ user: `/${second.id}`, status: 200 });
});
