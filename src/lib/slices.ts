import { setTimeout } from 'node:timers/promises';

// Milliseconds of work, and of the pause after it.
const sliceLength = 5;
const rest = 5;

/** Await the returned function between steps of long work, which then takes at most half of the event loop's time. */
export function createSlices(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceLength) return;
    await setTimeout(rest);
    since = performance.now();
  };
}
