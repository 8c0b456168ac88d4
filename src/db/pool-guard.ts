import { AsyncLocalStorage } from 'node:async_hooks';

export type PoolGuard = {
  /** Runs the work of a transaction; until it settles, `check` throws in everything that the work calls. */
  run<T>(work: () => Promise<T>): Promise<T>;
  check(): void;
};

/**
 * Rejects use of the pool inside an open transaction. Such a statement takes a second connection while it holds the first:
 * it does not see the transaction's own changes, and as many of them at once as the pool has connections block for ever.
 */
export function createPoolGuard(): PoolGuard {
  const current = new AsyncLocalStorage<{ open: boolean }>();
  return {
    async run(work) {
      const transaction = { open: true };
      try {
        return await current.run(transaction, work);
      } finally {
        transaction.open = false; // what the work started in the background may use the pool from now on
      }
    },
    check() {
      if (current.getStore()?.open === true)
        throw new Error('the pool was used inside a transaction; pass the transaction on instead');
    },
  };
}

/** For production: no check, and no cost. */
export const noPoolGuard: PoolGuard = { run: (work) => work(), check: () => undefined };
