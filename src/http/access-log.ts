import type { RequestHandler } from 'express';
import type { Logger } from '../lib/logger.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Locale } from '../messages/index.ts';
import { requestInfo } from './request.ts';

/** The template of the matched route, kept with the answer for the figures. */
export const routeKey = 'route';

/** One line a request: what was asked, the answer's status and how long it took. No query, no header, no body. */
export function createAccessLog(logger: Logger, metrics: Metrics, defaultLocale: Locale): RequestHandler {
  // Nothing in these lines is to be struck out, and looking for it costs as much as writing them.
  const log = logger.child({}, { redact: [] });
  return (request, response, next) => {
    const started = performance.now();
    const { id, path, address } = requestInfo(request, defaultLocale);
    response.once('close', () => {
      const taken = performance.now() - started;
      const ms = Math.round(taken * 10) / 10;
      metrics.observe(request.method, String(response.locals[routeKey] ?? 'none'), response.statusCode, taken / 1000);
      const line = { request: id, method: request.method, path, status: response.statusCode, ms, address };
      if (response.writableFinished) log.info(line, 'request');
      else log.warn(line, 'request aborted');
    });
    next();
  };
}
