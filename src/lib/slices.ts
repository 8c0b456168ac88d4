import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which others get a turn. */
const sliceLength = 10;

/** A long piece of work awaits the returned function between its steps, so that it never holds up the event loop for long. */
export function createSlices(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceLength) return;
    await setImmediate();
    since = performance.now();
  };
}
