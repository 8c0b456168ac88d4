import knexFactory from 'knex';
import type pg from 'pg';
import { createExecutor, type Executor } from '../src/db/executor.ts';

export type Client = Pick<pg.PoolClient, 'query'>;

/** Runs the service's statements as prepared statements on a pg client. */
export function executorOf(client: Client): Executor {
  const count = () => 0;
  const connectionPool = {
    acquire: () => ({ promise: Promise.resolve(client) }),
    release: () => true,
    destroy: async () => undefined,
    ...{ numFree: count, numUsed: count, numPendingAcquires: count },
  };
  const knex = knexFactory({ client: 'pg', connectionPool });
  return createExecutor(() => knex, { prepare: true, check: false });
}
