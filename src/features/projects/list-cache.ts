import { LRUCache } from 'lru-cache';
import type { Stamp } from '../auth/identity.ts';

/** A remembered answer: the bytes to send, and the state of the database they are true for. */
export type RememberedList = { bytes: Buffer; etag: string; ids: readonly number[]; stamp: Stamp };

const megabyte = 1024 * 1024;

/**
 * Remembered list answers, by reader, language and query string. An entry is never right by itself: it is sent only when
 * the stamps that were just read with the caller's identity equal its own, so nothing has to be invalidated.
 */
export function createListCache(maxBytes = 64 * megabyte) {
  const entries = new LRUCache<string, RememberedList>({
    maxSize: maxBytes,
    maxEntrySize: megabyte,
    sizeCalculation: (entry, key) => entry.bytes.length + key.length + entry.ids.length * 8 + 200,
  });
  let hits = 0;
  let misses = 0;

  return {
    key: (userId: number, locale: string, url: string) =>
      `${userId} ${locale} ${url.slice(url.indexOf('?') + 1 || url.length)}`,
    /** The ids whose versions must be read to know whether the entry still holds. */
    idsOf: (key: string): readonly number[] => entries.peek(key)?.ids ?? [],
    find(key: string, stamp: Stamp): RememberedList | undefined {
      const entry = entries.get(key);
      const fresh = entry !== undefined && entry.stamp.list === stamp.list && entry.stamp.rows === stamp.rows;
      if (fresh) hits += 1;
      else misses += 1;
      return fresh ? entry : undefined;
    },
    remember: (key: string, entry: RememberedList) => void entries.set(key, entry),
    figures: () => ({ hits, misses }),
  };
}

export type ListCache = ReturnType<typeof createListCache>;
