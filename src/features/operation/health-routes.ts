import { z } from 'zod';
import { type Database, sql } from '../../db/database.ts';
import { pendingMigrations } from '../../db/migrations.ts';
import { UnavailableError } from '../../errors.ts';
import { type Operation, operation } from '../../http/operation.ts';

const ping = sql('SELECT 1');

export type Lifecycle = { draining: boolean };

/** Is the process alive, and may it be given requests? For load balancers and container health checks. */
export function createHealthRoutes(database: Database, lifecycle: Lifecycle): Operation[] {
  let migrated = false; // once at head, a database does not go back while we run

  async function assertReady(): Promise<void> {
    if (lifecycle.draining) throw new UnavailableError();
    if (migrated) await database.rows(ping);
    else migrated = (await pendingMigrations(database.knex)).length === 0;
    if (!migrated) throw new UnavailableError();
  }

  return [
    operation({
      method: 'get',
      path: '/healthz',
      id: 'getHealth',
      tag: 'Operation',
      summary: 'The process answers',
      description: 'Whether the process is alive, for whoever restarts it.',
      access: 'public',
      unlimited: true,
      data: z.object({ status: z.literal('ok') }),
      handler: async () => ({ data: { status: 'ok' as const } }),
    }),
    operation({
      method: 'get',
      path: '/readyz',
      id: 'getReadiness',
      tag: 'Operation',
      summary: 'The database answers and its schema is at head',
      description: 'Whether to send requests here; 503 also while the process is ending.',
      access: 'public',
      unlimited: true,
      data: z.object({ status: z.literal('ready') }),
      handler: async () => {
        await assertReady();
        return { data: { status: 'ready' as const } };
      },
    }),
  ];
}
