import { hash } from 'node:crypto';
import fresh from 'fresh';

/**
 * Entity tags. Those of a versioned resource are `"<version>.<reader>"`: the reader is part of it because two callers may
 * see the same resource differently, and `If-Match` compares the version alone. All others are a hash of the response.
 */
export function versionTag(version: number | string, readerId: number, locale: string): string {
  return `"${version}.${readerId}${locale}"`;
}

/** The version alone, for `If-Match` of a change that is based on an item of a list. */
export function itemTag(version: number): string {
  return `"${version}"`;
}

/** The same for a resource whose response also shows what its version does not count, such as the names of members. */
export function contentVersionTag(version: number, data: object, locale: string): string {
  return `"${version}.${hash('sha1', JSON.stringify(data), 'base64url')}${locale}"`;
}

export function contentTag(content: string | Buffer): string {
  return `"${hash('sha1', content, 'base64url')}"`;
}

/** The tag of the same content in gzip: other bytes are another representation, and need a tag of their own. */
export function gzipTag(tag: string): string {
  return tag.replace(/"$/, '-gzip"');
}

/**
 * Whether `If-None-Match` names this tag, compressed or not: the client has it cached. `Cache-Control` of the request is
 * ignored.
 */
export function isKnown(header: string | undefined, tag: string): boolean {
  return header !== undefined && fresh({ 'if-none-match': header.replaceAll('-gzip"', '"') }, { etag: tag });
}

/** The version in an `If-Match` header: undefined when it is absent or `*`, -1 (which no version equals) when it is malformed. */
export function expectedVersion(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const version = /^"(\d{1,15})(?:\.[^"]*)?"$/.exec(header.trim())?.[1];
  return version === undefined ? -1 : Number(version);
}
