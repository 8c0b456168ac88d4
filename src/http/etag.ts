import { hash } from 'node:crypto';
import fresh from 'fresh';

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

/** The version in `If-Match`; undefined if absent or `*`, -1 (which no version equals) if malformed. */
export function expectedVersion(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const version = /^"(\d{1,15})(?:\.[^"]*)?"$/.exec(header.trim())?.[1];
  return version === undefined ? -1 : Number(version);
}
