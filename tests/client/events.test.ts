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
