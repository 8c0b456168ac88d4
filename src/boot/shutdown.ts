import type { Logger } from '../lib/log/logger.ts';

// After a bug nothing in the process can be trusted: open requests get this long, in seconds.
const secondsAfterBug = 3;

export type Shutdown = {
  readonly requested: boolean;
  onStop(step: () => Promise<void>): void;
  /** Runs the steps without exiting, for a start that failed. */
  close(): Promise<void>;
};

/** Ends the process in order: with exit code 0 when all steps succeed within the time, otherwise with 1. */
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
    if (requested) return; // npm passes the terminal's signal on, so it arrives twice
    requested = true;
    setTimeout(() => {
      logger.error({ seconds: within }, 'shutdown timed out');
      process.exit(1);
    }, within * 1000);
    try {
      await close();
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
    void end(1, Math.min(seconds, secondsAfterBug));
  });
  return {
    get requested() {
      return requested;
    },
    onStop: (step) => void steps.push(step),
    close,
  };
}
