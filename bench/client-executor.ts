import type { Knex } from 'knex';
import type pg from 'pg';
import { createExecutor, type Executor } from '../src/db/executor.ts';

export type Client = Pick<pg.PoolClient, 'query'>;

/** Runs the service's statements as prepared statements on a pg client. */
export function executorOf(client: Client): Executor {
  const knex = { client: { acquireConnection: async () => client, releaseConnection: async () => undefined } };
  return createExecutor(() => knex as unknown as Knex, { prepare: true, check: false }); // the executor uses nothing else of Knex
}
