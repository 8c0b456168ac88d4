import { openDatabase, sql } from '../../src/db/database.ts';
import type { TestApp } from './test-app.ts';

const forgetCounts = sql('SELECT pg_stat_clear_snapshot()'); // within a transaction the view stands still otherwise
const countWaiting = sql(`
  SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);

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
  // A pool of its own: the work may use the app's, which is not allowed inside a transaction of it.
  const holder = openDatabase({ url: app.databaseUrl, poolSize: 1 });
  const held = holder.transaction(async (tx) => {
    await tx.rows(sql(lock));
    running = work();
    for (let seen = 0; seen < waiting; ) {
      await tx.rows(forgetCounts);
      seen = (await tx.rows<{ waiting: number }>(countWaiting))[0]?.waiting ?? 0;
    }
  });
  await held.finally(holder.close);
  if (running === undefined) throw new Error('the work never started');
  return running;
}
