import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A figure that is read when somebody looks, such as the connections in use. */
export type Reading = { name: string; help: string; read: () => number };

/** What the process measures of itself, in the text format of Prometheus. The library is known to this file only. */
export function createMetrics(readings: readonly Reading[]) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by route template.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'http_requests_refused_total',
    help: 'Requests refused for want of a valid token (unauthorized) or because of a limit (rate_limited).',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const { name, help, read } of readings) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
  }

  return {
    contentType: registry.contentType,
    /** `route` is the template, never the path: ids would make a series each. */
    observe(method: string, route: string, status: number, seconds: number): void {
      durations.observe({ method, route, status }, seconds);
      if (status === 401) refusals.inc({ reason: 'unauthorized' });
      if (status === 429) refusals.inc({ reason: 'rate_limited' });
    },
    text: () => registry.metrics(),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
