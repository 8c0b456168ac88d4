import type { Job } from '../../lib/jobs.ts';
import type { Logger } from '../../lib/log/logger.ts';

export type DatabaseMonitor = ReturnType<typeof createDatabaseMonitor>;

export function createDatabaseMonitor(ping: () => Promise<unknown>, logger: Logger) {
  let isUp = true; // the service does not start without it

  async function check(): Promise<void> {
    try {
      await ping();
      if (!isUp) logger.info('database available again');
      isUp = true;
    } catch (error) {
      if (isUp) logger.error({ err: error }, 'database unavailable');
      isUp = false;
    }
  }

  const job: Job = { name: 'check the database', everySeconds: 5, run: check };
  return { job, check, isUp: () => isUp };
}
