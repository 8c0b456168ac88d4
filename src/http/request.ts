import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import type { Logger } from '../lib/log/logger.ts';
import type { Origin } from '../lib/log/security-log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { plainAddress } from '../lib/network/address.ts';
import { chooseLocale, type Locale } from '../texts/index.ts';

export type RequestInfo = {
  readonly id: string;
  /** Of the caller's `traceparent` (W3C Trace Context). */
  readonly traceId: string | undefined;
  readonly locale: Locale;
  readonly address: string;
  readonly path: string;
  header(name: string): string | undefined;
  /** Aborted when the client disconnects before the response is complete. */
  closed(): AbortSignal;
  user_id?: number;
};

/** The first handler of every request. */
export function createRequestInfo(defaultLocale: Locale): RequestHandler {
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    let signal: AbortSignal | undefined;
    const id = typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
    request.info = {
      id,
      traceId: traceIdOf(request.headers['traceparent']),
      locale: chooseLocale(request.headers['accept-language'], defaultLocale),
      address: clientAddress(request),
      path: request.originalUrl.split('?', 1)[0] ?? '/',
      header: (name) => request.get(name),
      closed: () => (signal ??= closeSignal(request)),
    };
    response.set('X-Request-Id', id);
    next();
  };
}

/** An invalid header is ignored, as the specification demands. */
function traceIdOf(traceparent: unknown): string | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, id, rest] =
    /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.{0,200})?$/.exec(traceparent) ?? [];
  return version === '00' && rest !== undefined ? undefined : id;
}

export function originOf({ id, traceId, address }: RequestInfo): Origin {
  return { request_id: id, trace_id: traceId, address };
}

export function clientOf(info: RequestInfo): { address: string; device: string } {
  return { address: info.address, device: [...(info.header('user-agent') ?? '')].slice(0, 200).join('') };
}

function closeSignal({ res: response }: Request): AbortSignal {
  const controller = new AbortController();
  if (response === undefined || response.destroyed) controller.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) controller.abort(); // each abort creates an exception with its stack
    });
  return controller.signal;
}

/**
 * Removes ports and brackets from the addresses that proxies report, such as `198.51.100.7:50123` and
 * `[2001:db8::7]:443`, before anything reads them: a connection's port must not tell callers apart.
 */
export const plainForwardedFor: RequestHandler = (request, _response, next) => {
  const given = request.headers['x-forwarded-for'];
  if (typeof given === 'string') request.headers['x-forwarded-for'] = given.split(',').map(withoutPort).join(', ');
  next();
};

function withoutPort(entry: string): string {
  const [, bracketed, address] = /^\s*"?(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?"?\s*$/.exec(entry) ?? [];
  return bracketed ?? address ?? entry.trim();
}

/** The proxy's address, if the forwarded one is invalid. */
function clientAddress(request: Request): string {
  const address = [request.ip, request.socket.remoteAddress].find((candidate) => isIP(candidate ?? '') !== 0);
  return address === undefined ? '' : plainAddress(address);
}

/** Contact endpoints have another response envelope. */
export function isContactSide(path: string): boolean {
  return /^\/api\/(contact|admin\/contact-requests)(\/|$)/i.test(path);
}

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
      const { id, traceId: trace, path, address, user_id: user } = info;
      metrics.observe(
        method,
        String(request.operation?.path ?? response.locals[routeKey] ?? 'none'),
        status,
        duration / 1000,
      );
      const code: unknown = response.locals[errorCodeKey];
      const ms = Math.round(duration * 10) / 10;
      const line = { request: id, trace, method, path, status, code, ms, user, address };
      if (!response.writableFinished) log.warn(line, 'request aborted');
      else if (healthChecks.has(path) && status < 400) log.debug(line, 'request');
      else log.info(line, 'request');
    });
    next();
  };
}
