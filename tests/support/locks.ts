import type { TestApp } from './test-app.ts';

const forgetCounts = 'SELECT pg_stat_clear_snapshot()'; // within a transaction the view stands still otherwise
const countWaiting = `
  SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/**
 * Starts work while another transaction holds what `lock` selects FOR UPDATE, and lets go once so many statements
 * wait for it: a race that is decided at one moment, every time.
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
    for (let seen = 0; seen < waiting; ) {
      await query(forgetCounts);
      seen = (await query<{ waiting: number }>(countWaiting))[0]?.waiting ?? 0;
    }
  });
  if (running === undefined) throw new Error('the work never started');
  return running;
}

/** Until so many statements wait for a lock: what starts then waits behind them. */
export async function untilWaiting(app: TestApp, number: number): Promise<void> {
  for (let seen = 0; seen < number; ) seen = (await app.query<{ waiting: number }>(countWaiting))[0]?.waiting ?? 0;
}
