import autocannon from 'autocannon';
import type { Measured } from './operations.ts';
import type { Fixtures } from './prepare.ts';

/** Number of requests, requests per second, latencies in milliseconds, size of a response including headers in bytes. */
export type Result = { requests: number; rate: number; p50: number; p99: number; bytes: number; errors: number };

export type Load = { operation: Measured; fixtures: Fixtures; side: 0 | 1; connections: number; seconds: number };

/** Keeps the connections busy with an operation. `path` replaces that of the operation. */
export async function measure(origin: string, load: Load, path?: string): Promise<Result> {
  const { operation, fixtures, side, connections, seconds } = load;
  let n = side; // odd numbers for one side, even ones for the other: they never write the same rows
  const setupRequest = (sent: autocannon.Request): autocannon.Request => {
    n += 2;
    const caller = operation.callers === 'owner' ? fixtures.owned(n).user_id : operation.callers[side];
    const body = path === undefined ? operation.body?.(n, fixtures) : undefined;
    return {
      ...sent,
      path: path ?? operation.path(n, fixtures),
      headers: {
        authorization: `Bearer ${fixtures.tokens.get(caller)}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(path === undefined && operation.headers?.(n, fixtures)),
      },
      ...(body !== undefined && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    };
  };
  const method = path === undefined ? operation.method : 'GET';
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: [{ method, setupRequest }],
  });
  return {
    requests: result.requests.total,
    rate: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    bytes: result.requests.total === 0 ? 0 : Math.round(result.throughput.total / result.requests.total),
    errors: result.non2xx + result.errors + result.timeouts,
  };
}
