import { hash } from 'node:crypto';

/**
 * Entity tags. Those of a versioned thing are `"<version>.<reader>"`: the reader is part of it because two callers may see
 * the same thing differently, and `If-Match` looks at the version alone. All others are a hash of the answer.
 */
export function versionTag(version: number | string, readerId: number, locale: string): string {
  return `"${version}.${readerId}${locale}"`;
}

export function contentTag(content: string | Buffer): string {
  return `"${hash('sha1', content, 'base64url')}"`;
}

/** Whether `If-None-Match` names this tag: the reader already has it. */
export function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((part) => part.trim().replace(/^W\//, '') === tag);
}

/**
 * The version an `If-Match` header asks for: undefined when it asks for none (absent or `*`), -1 when it names
 * something that never was, which then holds for no version.
 */
export function expectedVersion(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const version = /^"(\d{1,15})\.[^"]*"$/.exec(header.trim())?.[1];
  return version === undefined ? -1 : Number(version);
}
