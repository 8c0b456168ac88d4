import { LRUCache } from 'lru-cache';
import type { Stamp } from './stamps.ts';

/** What a response depends on: its projects, the stamp of the list, and the period (in milliseconds) in which it does not change. */
export type Dependencies = { projectIds: readonly number[]; stamp: Stamp; during?: { from: number; until: number } };

export type CachedResponse = Dependencies & { bytes: Buffer; etag: string };

export type ResponseCacheLimits = { bytes: number; entriesPerUser: number; bytesPerUser: number };
type Entry = CachedResponse & { userId: number; size: number };
type Share = { keys: Set<string>; bytes: number };

const megabyte = 1024 * 1024;
const defaultLimits = { bytes: 64 * megabyte, entriesPerUser: 50, bytesPerUser: 2 * megabyte };

function isCurrent({ stamp, during }: Entry, current: Stamp, now: number): boolean {
  if (stamp.list !== current.list || stamp.rows !== current.rows) return false;
  return during === undefined || (now >= during.from && now < during.until);
}

/**
 * Entries are validated on read, never invalidated: their stamp must equal the one read with the caller's identity. Each user has a
 * bounded share, so that one user's requests do not evict the entries of others.
 */
export function createResponseCache(clock: () => Date, limits: ResponseCacheLimits = defaultLimits) {
  const shares = new Map<number, Share>();
  const entries = new LRUCache<string, Entry>({
    maxSize: limits.bytes,
    maxEntrySize: megabyte,
    sizeCalculation: (entry) => entry.size,
    dispose: (entry, key) => leaveShare(entry, key),
  });
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
    projectIdsOf: (key: string): readonly number[] => entries.peek(key)?.projectIds ?? [],
    find(key: string, stamp: Stamp): CachedResponse | undefined {
      const entry = entries.get(key);
      const found = entry !== undefined && isCurrent(entry, stamp, clock().getTime()) ? entry : undefined;
      if (found === undefined) misses += 1;
      else hits += 1;
      return found;
    },
    store(userId: number, key: string, response: CachedResponse): void {
      const size = response.bytes.length + key.length + response.projectIds.length * 8 + 200;
      const entry = { ...response, userId, size };
      entries.set(key, entry);
      if (entries.peek(key) === entry) joinShare(entry, key); // not when it is too large
    },
    stats: () => ({ hits, misses, entries: entries.size, bytes: entries.calculatedSize }),
  };
}

export type ResponseCache = ReturnType<typeof createResponseCache>;
