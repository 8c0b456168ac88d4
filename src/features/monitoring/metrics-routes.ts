import { timingSafeEqual } from 'node:crypto';
import { UnauthorizedError } from '../../errors.ts';
import { type Operation, operation } from '../../http/operation.ts';
import type { Metrics } from '../../lib/metrics.ts';

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
        if (!isAllowed(request.header('authorization') ?? '')) throw new UnauthorizedError('unauthorized');
        return {
          bytes: Buffer.from(await collect()),
          headers: { 'Content-Type': metrics.registry.contentType },
        };
      },
    }),
  ];
}
