import type { Logger } from '../lib/logger.ts';

// After a bug nothing in the process can be trusted: open requests get this long, in seconds.
const afterBug = 3;

/**
 * Ends the process in order: on SIGTERM or SIGINT with exit code 0 when `stop` is through within the time, and with 1
 * otherwise; on an error that nobody caught with 1.
 */
export function installShutdownHandlers(stop: () => Promise<void>, seconds: number, logger: Logger): void {
  let ending = false;

  async function end(code: number, within: number): Promise<void> {
    if (ending) return; // npm hands the terminal's signal on, so that it comes twice
    ending = true;
    setTimeout(() => {
      logger.error({ seconds: within }, 'shutdown timed out');
      process.exit(1);
    }, within * 1000);
    try {
      await stop();
      logger.info('stopped');
      process.exit(code);
    } catch (error) {
      logger.error({ err: error }, 'shutdown failed');
      process.exit(1);
    }
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      logger.info({ signal }, 'stopping');
      void end(0, seconds);
    });
  }
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception');
    void end(1, Math.min(seconds, afterBug));
  });
}
