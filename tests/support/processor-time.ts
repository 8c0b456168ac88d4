import { readFileSync } from 'node:fs';

/** Milliseconds of a processor that this process has used, with all its threads. What other programs use does not count. */
export function processTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The same of the thread that runs JavaScript alone, where the system tells. */
export function threadTime(): number {
  if (process.platform !== 'linux') return processTime();
  return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6;
}

/**
 * For how long the event loop has worked without a pause. Unlike the delay of a timer, this does not grow when other
 * programs keep the processor busy.
 */
export function watchEventLoop() {
  let longest = 0;
  let before = threadTime();
  function look(): void {
    const now = threadTime();
    longest = Math.max(longest, now - before);
    before = now;
  }
  const watch = setInterval(look, 1);
  return {
    /** The longest stretch since the start or the last call, in milliseconds. */
    longest(): number {
      look();
      const found = longest;
      longest = 0;
      return found;
    },
    stop: () => clearInterval(watch),
  };
}
