import type { RequestHandler } from 'express';
import type { Logger } from '../lib/log/logger.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Locale } from '../messages/index.ts';
import { requestInfo } from './request/request.ts';

/** `response.locals`: the template of the matched route, and the code of the error that was sent. */
export const routeKey = 'route';
export const errorCodeKey = 'errorCode';

/** Load balancers call these every few seconds. */
const healthChecks = new Set(['/healthz', '/readyz']);

/** One line per request: who asked for what, the response's status and how long it took. No query, no header, no body. */
export function createAccessLog(logger: Logger, metrics: Metrics, defaultLocale: Locale): RequestHandler {
  // These lines contain nothing to redact, and looking for it costs as much as writing them.
  const log = logger.child({}, { redact: [] });
  return (request, response, next) => {
    const started = performance.now();
    const info = requestInfo(request, defaultLocale);
    response.once('close', () => {
      const taken = performance.now() - started;
      const { method } = request;
      const { statusCode: status } = response;
      const { id, path, address, user_id: user } = info;
      metrics.observe(method, String(response.locals[routeKey] ?? 'none'), status, taken / 1000);
      const code: unknown = response.locals[errorCodeKey];
      const ms = Math.round(taken * 10) / 10;
      const line = { request: id, method, path, status, code, ms, user, address };
      if (!response.writableFinished) log.warn(line, 'request aborted');
      else if (healthChecks.has(path) && status < 400) log.debug(line, 'request');
      else log.info(line, 'request');
    });
    next();
  };
}
