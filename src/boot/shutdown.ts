import { flush, type Logger } from '../lib/log/logger.ts';

// Seconds for open requests after an uncaught exception.
const secondsAfterBug = 3;

export type Shutdown = {
  readonly requested: boolean;
  onStop(step: () => Promise<void>): void;
  /** Runs the steps without exiting, after a failed start. */
  close(): Promise<void>;
};

/** Runs the steps in reverse order on SIGTERM, SIGINT and SIGHUP. The exit code is 0 if all succeed in time, otherwise 1. */
export function installShutdownHandlers(seconds: number, logger: Logger): Shutdown {
  const steps: (() => Promise<void>)[] = [];
  let requested = false;

  async function close(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = steps.pop(); step !== undefined; step = steps.pop())
      await step().catch((error: unknown) => void failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  async function end(code: number, within: number): Promise<void> {
    requested = true;
    setTimeout(() => {
      logger.error({ seconds: within }, 'shutdown timed out');
      void exit(1);
    }, within * 1000);
    try {
      await close();
      logger.info('stopped');
      await exit(code);
    } catch (error) {
      logger.error({ err: error }, 'shutdown failed');
      await exit(1);
    }
  }

  async function exit(code: number): Promise<void> {
    await flush(logger);
    process.exit(code);
  }

  // SIGHUP: the terminal was closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (requested) return; // npm forwards the terminal's signal, so it arrives twice
      logger.info({ signal }, 'stopping');
      void end(0, seconds);
    });
  }
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception');
    if (!requested) void end(1, Math.min(seconds, secondsAfterBug));
  });
  return {
    get requested() {
      return requested;
    },
    onStop: (step) => void steps.push(step),
    close,
  };
}
