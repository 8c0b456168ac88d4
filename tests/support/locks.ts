import type { TestApp } from './test-app.ts';

const clearSnapshot = 'SELECT pg_stat_clear_snapshot()'; // otherwise a transaction reads the same statistics again
const countWaiting = `
  SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/**
 * Starts work while another transaction holds the rows that `lock` selects FOR UPDATE, and releases them once `waiting`
 * statements wait: a reproducible race.
 */
export async function raceAgainstLock<T>(
  app: TestApp,
  lock: string,
  waiting: number,
  work: () => Promise<T>,
): Promise<T> {
  let running: Promise<T> | undefined;
  await app.transaction(async (query) => {
    await query(lock);
    running = work();
    for (let count = 0; count < waiting; ) {
      await query(clearSnapshot);
      count = (await query<{ waiting: number }>(countWaiting))[0]?.waiting ?? 0;
    }
  });
  if (running === undefined) throw new Error('the work never started');
  return running;
}

/** Waits until `number` statements wait for a lock. */
export async function untilWaiting(app: TestApp, number: number): Promise<void> {
  for (let count = 0; count < number; ) count = (await app.query<{ waiting: number }>(countWaiting))[0]?.waiting ?? 0;
}
