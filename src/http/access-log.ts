import type { RequestHandler } from 'express';
import type { Logger } from '../lib/log/logger.ts';
import type { Metrics } from '../lib/metrics.ts';

/** Of what is not an operation. */
export const routeKey = 'route';
export const errorCodeKey = 'errorCode';

/** Load balancers call these every few seconds. */
const healthChecks = new Set(['/healthz', '/readyz']);

/** Logs one line per request, without query, headers and body. */
export function createAccessLog(logger: Logger, metrics: Metrics): RequestHandler {
  // These lines contain nothing to redact; redaction would double their cost.
  const log = logger.child({}, { redact: [] });
  return (request, response, next) => {
    const startedAt = performance.now();
    const { info } = request;
    response.once('close', () => {
      const duration = performance.now() - startedAt;
      const { method } = request;
      const { statusCode: status } = response;
      const { id, path, address, user_id: user } = info;
      metrics.observe(
        method,
        String(request.operation?.path ?? response.locals[routeKey] ?? 'none'),
        status,
        duration / 1000,
      );
      const code: unknown = response.locals[errorCodeKey];
      const ms = Math.round(duration * 10) / 10;
      const line = { request: id, method, path, status, code, ms, user, address };
      if (!response.writableFinished) log.warn(line, 'request aborted');
      else if (healthChecks.has(path) && status < 400) log.debug(line, 'request');
      else log.info(line, 'request');
    });
    next();
  };
}
