import { timingSafeEqual } from 'node:crypto';
import { UnauthorizedError } from '../../errors.ts';
import { type Operation, operation } from '../../http/operation.ts';
import type { Metrics } from '../../lib/metrics.ts';

export type MetricsAccess = { metricsToken: string | undefined; openMetrics: boolean };

/**
 * Figures for Prometheus; behind a token of their own when one is set. Without one they are open only where that is
 * allowed; elsewhere there is no such path.
 */
export function createMetricsRoutes(
  metrics: Metrics,
  { metricsToken: token, openMetrics }: MetricsAccess,
): Operation[] {
  if (token === undefined && !openMetrics) return [];
  const wanted = token === undefined ? undefined : Buffer.from(`Bearer ${token}`);

  function isAllowed(authorization: string): boolean {
    const given = Buffer.from(authorization);
    return wanted === undefined || (given.length === wanted.length && timingSafeEqual(given, wanted));
  }

  return [
    operation({
      method: 'get',
      path: '/metrics',
      id: 'getMetrics',
      tag: 'Operation',
      summary: 'Figures of this process for Prometheus',
      description:
        'With `METRICS_TOKEN` set, it must be sent as the bearer token. With `NODE_ENV=production` and no token the path is ' +
        'unknown (404). With several processes, each answers for itself.',
      access: 'public',
      unlimited: true,
      produces: ['text/plain'],
      errors: ['UNAUTHORIZED'],
      handler: async ({ request }) => {
        if (!isAllowed(request.header('authorization') ?? '')) throw new UnauthorizedError('unauthorized');
        return { bytes: Buffer.from(await metrics.text()), headers: { 'Content-Type': metrics.contentType } };
      },
    }),
  ];
}
