import { openSync, readSync } from 'node:fs';

/** Processor time of this process in milliseconds, over all threads. */
export function processTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Of the thread that opened it. Opening it each time would take longer than reading it. */
const schedule = process.platform === 'linux' ? openSync('/proc/thread-self/schedstat', 'r') : undefined;
const figures = Buffer.alloc(100);

/** Processor time of the JavaScript thread in milliseconds; of the process where the system has no such figure. */
export function threadTime(): number {
  if (schedule === undefined) return processTime();
  const length = readSync(schedule, figures, 0, figures.length, 0);
  return Number(figures.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6;
}

/**
 * How many times longer than on a machine of 2023 a fixed computation takes now, at least 1. A limit in processor time
 * is multiplied by it: a slow machine, or one whose cores are shared, is not what such a test looks for.
 */
export function slowness(): number {
  const bytes = Buffer.alloc(1024 * 1024, 7);
  const times = Array.from({ length: 5 }, () => {
    const before = processTime();
    let hash = 0;
    for (const byte of bytes) hash = (Math.imul(hash, 31) + byte) | 0;
    return processTime() - before + hash * 0;
  });
  return Math.max(1, Math.min(...times) / 1.2);
}

/** Whether a time in milliseconds is below the limit, which grows on a slow machine. That is measured only if it decides. */
export const isWithin = (limit: number) => (time: number) => time < limit || time < limit * slowness();

/**
 * Measures how long the event loop is blocked, in processor time: unlike a timer's delay, it does not grow when other
 * programs keep the processor busy.
 */
export function watchEventLoop() {
  let longest = 0;
  let before = threadTime();
  function measure(): void {
    const now = threadTime();
    longest = Math.max(longest, now - before);
    before = now;
  }
  const watch = setInterval(measure, 1);
  return {
    /** The longest stretch since the start or the last call, in milliseconds. */
    longest(): number {
      measure();
      const found = longest;
      longest = 0;
      return found;
    },
    stop: () => clearInterval(watch),
  };
}
