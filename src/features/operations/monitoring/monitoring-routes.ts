import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type Operation, operation } from '../../../http/operation.ts';
import type { Lifecycle } from '../../../lib/jobs.ts';
import type { Metrics } from '../../../lib/metrics.ts';
import { InvalidTokenError, UnauthorizedError } from '../../../texts/access-errors.ts';
import { UnavailableError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import * as health from './health-repository.ts';

export function createHealthRoutes({ store, lifecycle }: { store: Db; lifecycle: Lifecycle }): Operation[] {
  let isMigrated = false; // migrations are not reverted while the service runs

  async function assertReady(): Promise<void> {
    if (lifecycle.draining) throw new UnavailableError();
    await health.ping(store);
    isMigrated ||= await health.isMigrated(store);
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

export type MetricsRoutesOptions = {
  metrics: Metrics;
  collect: () => Promise<string>;
  metricsToken: string | undefined;
  openMetrics: boolean;
};

/** Protected by the token, if there is one; otherwise public if `openMetrics` is set, and not served if it is not. */
export function createMetricsRoutes(options: MetricsRoutesOptions): Operation[] {
  const { metrics, collect, metricsToken: token, openMetrics } = options;
  if (token === undefined && !openMetrics) return [];
  const expected = token === undefined ? undefined : Buffer.from(`Bearer ${token}`);

  function isAllowed(authorization: string): boolean {
    const given = Buffer.from(authorization);
    return expected === undefined || (given.length === expected.length && timingSafeEqual(given, expected));
  }

  return [
    operation({
      method: 'get',
      path: '/metrics',
      id: 'getMetrics',
      tag: 'Operation',
      summary: 'Get metrics for Prometheus',
      description:
        'If `METRICS_TOKEN` is set, it is required as the bearer token. With `NODE_ENV=production` and no token, the path returns 404. With `WEB_CONCURRENCY`, the metrics of all processes are aggregated.',
      access: 'public',
      unlimited: true,
      produces: ['text/plain'],
      errors: ['UNAUTHORIZED'],
      handler: async ({ request }) => {
        const given = request.header('authorization');
        if (!isAllowed(given ?? ''))
          throw given === undefined ? new UnauthorizedError('unauthorized') : new InvalidTokenError('malformed');
        return {
          bytes: Buffer.from(await collect()),
          headers: { 'Content-Type': metrics.registry.contentType },
        };
      },
    }),
  ];
}
