import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Request } from 'express';
import type { Origin } from '../lib/security-log.ts';
import { chooseLocale, type Locale } from '../messages/index.ts';

/** What the frame knows of a request before any feature sees it. */
export type RequestInfo = {
  readonly id: string;
  readonly locale: Locale;
  /** The caller's address: the socket's, or what the trusted proxies say; IPv4-mapped addresses unwrapped. */
  readonly address: string;
  readonly path: string;
  /** Path and query as they came. */
  readonly url: string;
  header(name: string): string | undefined;
  /** A signal that is aborted when the client goes away, or the response has ended: for work worth stopping then. */
  closed(): AbortSignal;
  /** The signed-in user, once the token was checked; for the security log. */
  user_id?: number;
};

/** The origin of a request and its client, for what is stored or logged about it. */
export function originOf({ id, address }: RequestInfo): Origin {
  return { request_id: id, address };
}

export function clientOf(info: RequestInfo): { address: string; device: string } {
  return { address: info.address, device: [...(info.header('user-agent') ?? '')].slice(0, 200).join('') };
}

declare global {
  namespace Express {
    interface Request {
      info?: RequestInfo;
    }
  }
}

/** The info of a request, made on first use and the same ever after. */
export function requestInfo(request: Request, fallback: Locale): RequestInfo {
  if (request.info !== undefined) return request.info;
  const given = request.headers['x-request-id'];
  request.info = {
    id: typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID(),
    locale: chooseLocale(request.headers['accept-language'], fallback),
    address: clientAddress(request),
    path: request.originalUrl.split('?', 1)[0] ?? '/',
    url: request.originalUrl,
    header: (name) => request.get(name),
    closed: () => closeSignal(request),
  };
  return request.info;
}

function closeSignal({ res: response }: Request): AbortSignal {
  const controller = new AbortController();
  if (response === undefined || response.closed) controller.abort();
  else response.once('close', () => controller.abort());
  return controller.signal;
}

/** A proxy that passes on what is no address stands for its clients itself. */
function clientAddress(request: Request): string {
  const told = [request.ip, request.socket.remoteAddress].find((address) => isIP(address ?? '') !== 0);
  return (told ?? '').replace(/^::ffff:(?=\d+\.)|%.*$/gi, ''); // nor does the interface it came in by belong to it
}

/** The part of the interface with the customer's second envelope. Decided by the path alone. */
export function isContactSide(path: string): boolean {
  return /^\/api\/(contact|admin\/contact-requests)(\/|$)/i.test(path);
}
