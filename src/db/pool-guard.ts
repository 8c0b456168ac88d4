import { AsyncLocalStorage } from 'node:async_hooks';

export type PoolGuard = {
  /** Runs the work of a transaction; until it settles, `check` throws in everything that the work calls. */
  run<T>(work: () => Promise<T>): Promise<T>;
  check(): void;
};

type RunningTransaction = { guard: PoolGuard; open: boolean; outer: RunningTransaction | undefined };

// One for all pools: each storage that has ever been used slows down every promise of the process.
const running = new AsyncLocalStorage<RunningTransaction>();

/** Rejects use of the pool inside a transaction: it does not see its changes, and with a full pool it deadlocks. */
export function createPoolGuard(): PoolGuard {
  const guard: PoolGuard = {
    async run(work) {
      const transaction = { guard, open: true, outer: running.getStore() };
      try {
        return await running.run(transaction, work);
      } finally {
        transaction.open = false; // what the work started in the background may use the pool from now on
      }
    },
    check() {
      for (let transaction = running.getStore(); transaction !== undefined; transaction = transaction.outer)
        if (transaction.guard === guard && transaction.open)
          throw new Error('the pool was used inside a transaction; use the transaction instead');
    },
  };
  return guard;
}

/** For production: no check, and no cost. */
export const noPoolGuard: PoolGuard = { run: (work) => work(), check: () => undefined };
