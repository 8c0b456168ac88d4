import { LRUCache } from 'lru-cache';
import { readQuery } from '../../http/input.ts';
import type { RequestInfo } from '../../http/request.ts';
import type { Stamp } from '../auth/identity.ts';
import { listProjectsQuery } from './project-schemas.ts';

/** A cached response: the bytes to send, and the state of the database they are true for. */
export type CachedList = { bytes: Buffer; etag: string; ids: readonly number[]; stamp: Stamp };

export type ListCacheLimits = { bytes: number; entriesPerUser: number; bytesPerUser: number };
type Entry = CachedList & { userId: number; size: number };
type Share = { keys: Set<string>; bytes: number };

const megabyte = 1024 * 1024;
const usualLimits = { bytes: 64 * megabyte, entriesPerUser: 50, bytesPerUser: 2 * megabyte };
const parameters = Object.keys(listProjectsQuery.shape).sort();
const known: ReadonlySet<string> = new Set(parameters);

/**
 * Cached list responses, by reader, language and query. An entry is never right by itself: it is sent only when the
 * stamps that were just read with the caller's identity equal its own, so nothing has to be invalidated. A reader has a
 * bounded share: however many pages and searches they ask for, the entries of others stay.
 */
export function createListCache(limits: ListCacheLimits = usualLimits) {
  const shares = new Map<number, Share>();
  const entries = new LRUCache<string, Entry>({
    maxSize: limits.bytes,
    maxEntrySize: megabyte,
    sizeCalculation: (entry) => entry.size,
    dispose: (entry, key) => leaveShare(entry, key),
  });
  const canonical = createCanonicalQueries();
  let hits = 0;
  let misses = 0;

  function leaveShare({ userId, size }: Entry, key: string): void {
    const share = shares.get(userId);
    if (share === undefined) return;
    share.keys.delete(key);
    share.bytes -= size;
    if (share.keys.size === 0) shares.delete(userId);
  }

  function joinShare({ userId, size }: Entry, key: string): void {
    const share = shares.get(userId) ?? { keys: new Set(), bytes: 0 };
    shares.set(userId, share);
    share.keys.add(key);
    share.bytes += size;
    for (const oldest of share.keys) {
      if (share.keys.size <= limits.entriesPerUser && share.bytes <= limits.bytesPerUser) return;
      entries.delete(oldest);
    }
  }

  return {
    /** The same for every query that asks for the same: unknown and empty parameters and their order do not count. */
    key: (userId: number, { locale, url }: Pick<RequestInfo, 'locale' | 'url'>) =>
      `${userId} ${locale} ${canonical(url)}`,
    /** The ids whose versions must be read to know whether the entry still holds. */
    idsOf: (key: string): readonly number[] => entries.peek(key)?.ids ?? [],
    find(key: string, stamp: Stamp): CachedList | undefined {
      const entry = entries.get(key);
      const fresh = entry !== undefined && entry.stamp.list === stamp.list && entry.stamp.rows === stamp.rows;
      if (fresh) hits += 1;
      else misses += 1;
      return fresh ? entry : undefined;
    },
    store(userId: number, key: string, list: CachedList): void {
      const entry = { ...list, userId, size: list.bytes.length + key.length + list.ids.length * 8 + 200 };
      entries.set(key, entry);
      if (entries.peek(key) === entry) joinShare(entry, key); // not when it is too large
    },
    figures: () => ({ hits, misses, entries: entries.size, bytes: entries.calculatedSize }),
  };
}

export type ListCache = ReturnType<typeof createListCache>;

/** Parsing costs more than all else about a cached list, so the results for the latest URLs are kept. */
function createCanonicalQueries(mostKept = 500) {
  let kept = new Map<string, string>();
  return (url: string): string => {
    const found = kept.get(url);
    if (found !== undefined) return found;
    const query = canonicalQuery(url);
    if (kept.size >= mostKept) kept = new Map();
    if (url.length <= 256) kept.set(url, query);
    return query;
  };
}

function canonicalQuery(url: string): string {
  const mark = url.indexOf('?');
  if (mark === -1) return '';
  const query = readQuery(url.slice(mark + 1), known);
  if (!query.ok) return ''; // it will be rejected
  const given = parameters.filter((name) => query.value[name] !== undefined);
  return given.map((name) => `${name}=${JSON.stringify(query.value[name])}`).join('&');
}
