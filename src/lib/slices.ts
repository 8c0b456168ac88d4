import { setTimeout } from 'node:timers/promises';

/** Milliseconds of work after which others get a turn, and of rest before it goes on. */
const sliceLength = 5;
const rest = 5;

/**
 * A long piece of work awaits the returned function between its steps, so that it holds up the event loop neither for long
 * nor for more than half of the time.
 */
export function createSlices(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceLength) return;
    await setTimeout(rest);
    since = performance.now();
  };
}
