import { afterEach, expect, test, vi } from 'vitest';
import { readEvents } from '../../client/src/index.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('the event stream ends when heartbeats stop', async () => {
  vi.useFakeTimers();
  const cancelled = vi.fn();
  let send = (_text: string) => {};
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      send = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
    cancel: cancelled,
  });
  const events = readEvents({ stream: async () => stream });
  send('event: ready\ndata: []\n\n');
  expect(await events.next()).toEqual({ done: false, value: { type: 'ready', topics: [] } });
  const end = events.next();
  await vi.advanceTimersByTimeAsync(50_000);
  send(':\n\n');
  await vi.advanceTimersByTimeAsync(50_000);
  expect(cancelled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await end).toEqual({ done: true, value: undefined });
  expect(cancelled).toHaveBeenCalledOnce();
});

test('the event stream ends without an error when its signal is aborted', async () => {
  const stop = new AbortController();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('event: ready\ndata: []\n\n'));
      stop.signal.addEventListener('abort', () => controller.error(stop.signal.reason));
    },
  });
  const events = readEvents({ stream: async () => stream }, { signal: stop.signal });
  await events.next();
  stop.abort();
  expect(await events.next()).toEqual({ done: true, value: undefined });
  const unreachable = readEvents({ stream: async () => Promise.reject(new TypeError('no network')) });
  await expect(unreachable.next()).rejects.toThrow('no network');
});
