import { setTimeout } from 'node:timers/promises';

/** Milliseconds of work after which others get a turn, and of rest before it goes on. */
const sliceLength = 5;
const rest = 5;

/** Long work awaits the returned function between its steps, and so takes at most half of the event loop's time. */
export function createSlices(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceLength) return;
    await setTimeout(rest);
    since = performance.now();
  };
}
