import type { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEventHub, limits } from '../../../../src/features/operations/live-updates/event-hub.ts';
import { type Topic, topics } from '../../../../src/features/operations/live-updates/live-update-projection.ts';
import type { Listener } from '../../../../src/features/operations/live-updates/live-update-repository.ts';
import { createLogger } from '../../../../src/lib/log/logger.ts';
import { createTestClock } from '../../../support/test-app.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const listener = { user_id: 1, sign_in_id: 'a', topics };

/** A hub with updates and time controlled by the test. */
function start() {
  const clock = createTestClock();
  const lifecycle = { draining: false };
  const queries: (readonly Listener[])[] = [];
  let changed: Topic[] = [];
  let isValid = true;
  let isDown = false;
  let run = 'first';
  const updates = {
    async read(listeners: readonly Listener[]) {
      queries.push(listeners);
      if (isDown) throw new Error('the database is unavailable');
      const topics = new Map(isValid ? listeners.map((_, index) => [index, changed]) : []);
      changed = [];
      return { topics, until: isValid ? { run, snapshot: '1:1:' } : undefined };
    },
    purge: async () => 0,
  };
  return {
    hub: createEventHub({ updates, lifecycle, logger: createLogger('silent'), clock }),
    clock,
    lifecycle,
    queries,
    change: (...topics: Topic[]) => changed.push(...topics),
    setValid: (valid: boolean) => {
      isValid = valid;
    },
    restart: () => {
      run = 'second';
    },
    setDown: (down: boolean) => {
      isDown = down;
    },
    poll: () => vi.advanceTimersByTimeAsync(limits.pollMilliseconds),
  };
}

function read(stream: Readable) {
  const seen = { text: '', ended: false };
  stream.on('data', (chunk) => {
    seen.text += chunk;
  });
  stream.on('end', () => {
    seen.ended = true;
  });
  return seen;
}
const ready = 'event: ready\ndata: []\n\n';
const changed = (...topics: string[]) => `event: changed\ndata: ${JSON.stringify(topics)}\n\n`;

test('one query serves all listeners, and none runs without listeners', async () => {
  const { hub, queries, poll, clock } = start();
  await poll();
  expect(queries).toEqual([]);
  const streams = Array.from({ length: 20 }, (_, n) =>
    hub.open({ user_id: n, sign_in_id: `${n}`, topics }, clock().getTime() + 60_000),
  );
  await poll();
  await poll();
  expect(queries.map(({ length }) => length)).toEqual([20, 20]);
  for (const stream of streams) stream.destroy();
  for (let n = 0; n < 4; n += 1) await poll();
  expect(queries.length).toBeLessThanOrEqual(3);
  expect(vi.getTimerCount()).toBe(0);
});

test('sends what changed, and otherwise only a heartbeat', async () => {
  const { hub, clock, poll, change } = start();
  const seen = read(hub.open(listener, clock().getTime() + 3_600_000));
  await poll();
  expect(seen.text).toBe(ready);
  await poll();
  clock.advance(limits.heartbeatMilliseconds);
  await poll();
  await poll();
  expect(seen.text).toBe(`${ready}:\n\n`);
  change('timer', 'projects');
  await poll();
  await poll();
  expect(seen.text).toBe(`${ready}:\n\n${changed('projects', 'timer')}`);
});

test('ends when access is lost, after its duration, and when the process stops', async () => {
  const { hub, clock, lifecycle, poll, setValid } = start();
  const seen = [read(hub.open(listener, clock().getTime() + 1000))];
  await poll();
  setValid(false);
  await poll();
  expect(seen[0]).toEqual({ text: ready, ended: true });
  setValid(true);
  seen.push(read(hub.open(listener, clock().getTime() + 1000)));
  await poll();
  clock.advance(1000);
  await poll();
  expect(seen[1]).toEqual({ text: ready, ended: true });
  seen.push(read(hub.open(listener, clock().getTime() + 1000)));
  await poll();
  lifecycle.draining = true;
  await poll();
  expect(seen[2]).toEqual({ text: ready, ended: true });
  expect(() => hub.open(listener, clock().getTime() + 1000)).toThrow();
  await poll();
  expect(vi.getTimerCount()).toBe(0);
});

test('sends nothing after the end to a client that has not read it', async () => {
  const { hub, clock, poll, setValid, change } = start();
  const stream = hub.open(listener, clock().getTime() + 3_600_000);
  setValid(false);
  await poll();
  setValid(true);
  change('timer');
  await poll();
  await poll();
  expect([stream.errored, stream.destroyed]).toEqual([null, false]);
  expect(read(stream).text).toBe('');
  stream.destroy();
});

test('continues without losing changes when the database is available again', async () => {
  const { hub, poll, change, setDown, clock } = start();
  const seen = read(hub.open(listener, clock().getTime() + 3_600_000));
  await poll();
  setDown(true);
  change('inbox');
  await poll();
  expect(seen).toEqual({ text: ready, ended: false });
  setDown(false);
  await poll();
  expect(seen.text).toBe(`${ready}${changed('inbox')}`);
});

test.each<[string, (hub: ReturnType<typeof start>) => void]>([
  ['the database server was started again', ({ restart }) => restart()],
  ['the last reading was long ago', ({ clock }) => clock.advance(31_000)],
])('everything is reloaded if %s, because updates may be lost', async (_, interrupt) => {
  const started = start();
  const { hub, poll, clock } = started;
  const seen = read(hub.open(listener, clock().getTime() + 3_600_000));
  await poll();
  interrupt(started);
  await poll();
  await poll();
  expect(seen.text).toBe(`${ready}${changed(...topics)}`);
});

test('a client that does not read is disconnected', async () => {
  const { hub, clock, poll, change } = start();
  const stream = hub.open(listener, clock().getTime() + 3_600_000); // never read
  for (let n = 0; n < 200 && !stream.destroyed; n += 1) {
    change(...topics);
    await poll();
  }
  expect(stream.destroyed).toBe(true);
});

test('the streams per user and per process are limited', async () => {
  const { hub, clock } = start();
  const own = Array.from({ length: limits.perUser }, () => hub.open(listener, clock().getTime() + 1000));
  expect(() => hub.open(listener, clock().getTime() + 1000)).toThrow();
  const others = Array.from({ length: limits.perProcess - limits.perUser }, (_, n) =>
    hub.open({ user_id: n + 2, sign_in_id: `${n}`, topics }, clock().getTime() + 1000),
  );
  expect(() => hub.open({ user_id: -1, sign_in_id: 'b', topics }, clock().getTime() + 1000)).toThrow();
  for (const stream of [...own, ...others]) stream.destroy();
});

test('sends only the topics that the listener may see', async () => {
  const { hub, clock, poll, change } = start();
  const seen = read(hub.open({ ...listener, topics: ['projects', 'timer'] }, clock().getTime() + 60_000));
  await poll();
  change('inbox', 'timer');
  await poll();
  expect(seen.text).toBe(`${ready}${changed('timer')}`);
});
