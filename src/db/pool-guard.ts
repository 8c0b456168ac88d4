import { AsyncLocalStorage } from 'node:async_hooks';

export type PoolGuard = {
  /** Until `work` settles, `check` throws in everything that it calls. */
  run<T>(work: () => Promise<T>): Promise<T>;
  check(): void;
};

type RunningTransaction = { guard: PoolGuard; open: boolean; outer: RunningTransaction | undefined };

// One for all pools: each AsyncLocalStorage slows down every promise of the process.
const running = new AsyncLocalStorage<RunningTransaction>();

/** Rejects use of the pool inside a transaction: such a query does not see its changes, and a full pool deadlocks. */
export function createPoolGuard(): PoolGuard {
  const guard: PoolGuard = {
    async run(work) {
      const transaction = { guard, open: true, outer: running.getStore() };
      try {
        return await running.run(transaction, work);
      } finally {
        transaction.open = false; // background work that outlives it may use the pool
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

export const noPoolGuard: PoolGuard = { run: (work) => work(), check: () => undefined };
