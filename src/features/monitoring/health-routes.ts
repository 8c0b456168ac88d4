import { z } from 'zod';
import { UnavailableError } from '../../errors.ts';
import { type Operation, operation } from '../../http/operation.ts';
import type { Store } from '../../store.ts';

export type Lifecycle = { draining: boolean };

export type HealthRoutesOptions = { store: Store; lifecycle: Lifecycle };

export function createHealthRoutes({ store: { health }, lifecycle }: HealthRoutesOptions): Operation[] {
  let isMigrated = false; // migrations are not reverted while the service runs

  async function assertReady(): Promise<void> {
    if (lifecycle.draining) throw new UnavailableError();
    await health.ping();
    isMigrated ||= await health.isMigrated();
    if (!isMigrated) throw new UnavailableError();
  }

  return [
    operation({
      method: 'get',
      path: '/healthz',
      id: 'getHealth',
      tag: 'Operation',
      summary: 'Check that the process is alive',
      description: 'Liveness: a supervisor restarts a process that does not respond.',
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
      summary: 'Check that the service is ready for requests',
      description:
        'Readiness: the database responds, and its schema is current. Also returns 503 while the process shuts down.',
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
