import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import fresh from 'fresh';
import type { UnpagedRows } from '../db/row-stream.ts';
import { type Exporter, jsonList } from '../lib/export/exporter.ts';
import type { Dependencies } from '../list-cache/list-cache.ts';
import { type AppError, toDetail } from '../texts/errors.ts';
import { type Locale, type Message, translate } from '../texts/index.ts';
import type { RequestInfo } from './request.ts';

type Headers = Readonly<Record<string, string | string[]>>;

export type Reply<Data = unknown> = {
  data?: Data;
  /** The whole response, in place of `data`. */
  bytes?: Buffer;
  status?: number;
  message?: Message;
  /** Fields next to `data`, such as the contact endpoints' `requestId`. */
  extraFields?: Readonly<Record<string, unknown>>;
  etag?: string;
  location?: string;
  headers?: Headers;
  dependsOn?: Dependencies;
  /** Sent in place of the reply, which is still what a repetition with the same Idempotency-Key returns. */
  sendInstead?: ReplyStream | undefined;
};

export type ReplyStream = { stream: Readable; contentType: string; headers?: Headers };

export type Failure = { status: number; body: object };

export function projectFailure(error: AppError, locale: Locale): Failure {
  const message = translate(error.text, locale);
  const details = error.details.map((detail) => toDetail(detail, locale));
  return {
    status: error.status,
    body: { success: false, message, error: { code: error.code, message, ...(details.length > 0 && { details }) } },
  };
}

/**
 * The contact endpoints have six statuses only, and each `msg` names its field. The captcha is not among those whose statuses the
 * interface lists: it says with 503 that the service is unavailable.
 */
export function contactFailure(error: AppError, locale: Locale, path: string): Failure {
  const errors = error.details.map((detail) => ({
    field: detail.field,
    msg: `${detail.field} ${translate(detail.message, locale)}`,
  }));
  const message = errors.length > 0 ? errors.map((entry) => entry.msg).join('; ') : translate(error.text, locale);
  return {
    status: error.status === 503 && captchaPath.test(path) ? 503 : contactStatus(error.status),
    body: { success: false, message, code: error.code, ...(errors.length > 0 && { errors }) },
  };
}

const captchaPath = /^\/api\/contact\/captcha\/?$/i;

function contactStatus(status: number): number {
  if ([400, 401, 403, 404, 429].includes(status)) return status;
  if (status === 405) return 404;
  return status >= 500 ? 500 : 400;
}

/** The reader is part of the tag, because two users may see a resource differently; `If-Match` compares the version only. */
export function versionTag(version: number | string, readerId: number, locale: string): string {
  return `"${version}.${readerId}${locale}"`;
}

/** For `If-Match` of a change that is based on an item of a list. */
export function itemTag(version: number): string {
  return `"${version}"`;
}

/** For a resource whose response shows data that its version does not cover, such as the names of members. */
export function contentVersionTag(version: number, data: object, locale: string): string {
  return `"${version}.${hash('sha1', JSON.stringify(data), 'base64url')}${locale}"`;
}

export function contentTag(content: string | Buffer): string {
  return `"${hash('sha1', content, 'base64url')}"`;
}

/** `Cache-Control` of the request is ignored: `fetch` adds `no-cache` to every request with a given `If-None-Match`. */
export function matchesTag(header: string, tag: string): boolean {
  return fresh({ 'if-none-match': header }, { etag: tag });
}

/** Longer lists are streamed, without an ETag. */
const maxBuffered = 1000;

export function createSendUnpaged(exporter: Exporter) {
  return async <Row, Entry extends object>(
    rows: UnpagedRows<Row>,
    toEntry: (row: Row) => Entry,
    { actor, request }: { actor: { id: number }; request: RequestInfo },
  ): Promise<Reply<Entry[]> | ReplyStream> => {
    const first = await rows.list(maxBuffered + 1);
    if (first.length <= maxBuffered) return { data: first.map(toEntry) };
    const message = JSON.stringify(translate({ key: 'ok' }, request.locale));
    const work = jsonList(rows.export, toEntry, [`{"success":true,"message":${message},"data":[`, ']}']);
    const stream = await exporter.run(`user ${actor.id}`, work, request.closed());
    return { stream, contentType: 'application/json; charset=utf-8' };
  };
}

export type SendUnpaged = ReturnType<typeof createSendUnpaged>;
