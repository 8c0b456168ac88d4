import { LRUCache } from 'lru-cache';
import type { Role } from '../actor.ts';
import { type Interpolation, type Sql, sql } from '../db/sql/sql.ts';

/** The list version and the sum of row versions that a page was read with. A cached page is current while both are unchanged. */
export type CacheVersion = { list: string; rows: number };

/** Changes when the server starts or recovers, after which it may reuse transaction ids. */
const serverStart = sql`concat_ws(' ', pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time())`;

/** Unique to this database until its server starts or recovers. */
export const databaseRun: Sql = sql`concat_ws(' ', ${serverStart}, current_database(),
  (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()))`;

/** Unique to a state of the database. The snapshot alone is not: after a crash or failover, lost transaction ids are reused. */
const databaseState = sql`concat_ws(' ', pg_current_snapshot(), ${serverStart})`;

/** `list` of a cache version, also of the days of the school; for administrators, who see more than their own list, the state of the database. */
export function listVersion(isAdmin: Interpolation, userId: Interpolation): Sql {
  return sql`CASE WHEN ${isAdmin} THEN ${databaseState}
    ELSE concat_ws(' ', coalesce((SELECT v.version FROM user_list_versions v WHERE v.user_id = ${userId}), 0),
      (SELECT y.version FROM school_year y),
      pg_postmaster_start_time()) END`;
}

export function rowVersions(projectIds: Sql): Sql {
  return sql`coalesce((SELECT sum(p.row_version) FROM projects p WHERE p.id = ANY (${projectIds})), 0)::bigint`;
}

/** What a response depends on: its projects, the cache version of the list, and the period (in milliseconds) in which it does not change. */
export type Dependencies = {
  projectIds: readonly number[];
  cacheVersion: CacheVersion;
  during?: { from: number; until: number };
};

export type CachedResponse = { bytes: Buffer; etag: string };

export type ListCacheLimits = { bytes: number; entriesPerUser: number; bytesPerUser: number };
type Entry = CachedResponse & Dependencies & { userId: number; role: Role; size: number };
type Share = { keys: Set<string>; bytes: number };

const megabyte = 1024 * 1024;
const defaultLimits = { bytes: 64 * megabyte, entriesPerUser: 50, bytesPerUser: 2 * megabyte };

function isCurrent({ cacheVersion, during, ...entry }: Entry, role: Role, current: CacheVersion, now: number): boolean {
  if (entry.role !== role || cacheVersion.list !== current.list || cacheVersion.rows !== current.rows) return false;
  return during === undefined || (now >= during.from && now < during.until);
}

/**
 * Entries are validated on read, never invalidated: their cache version must equal the one read with the caller's identity. Each user has a
 * bounded share, so that one user's requests do not evict the entries of others.
 */
export function createListCache(clock: () => Date, limits: ListCacheLimits = defaultLimits) {
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
    /** By everything that a response depends on besides the state of the database. Undefined if it must not be cached. */
    keyOf: (operation: string, userId: number, locale: string, query: string | undefined): string | undefined =>
      query === undefined ? undefined : `${operation} ${userId} ${locale} ${query}`,

    projectIdsOf: (key: string | undefined): readonly number[] =>
      (key === undefined ? undefined : entries.peek(key)?.projectIds) ?? [],

    find(key: string | undefined, role: Role, cacheVersion: CacheVersion): CachedResponse | undefined {
      const entry = key === undefined ? undefined : entries.get(key);
      const found = entry !== undefined && isCurrent(entry, role, cacheVersion, clock().getTime()) ? entry : undefined;
      if (found === undefined) misses += 1;
      else hits += 1;
      return found === undefined ? undefined : { bytes: found.bytes, etag: found.etag };
    },

    store(key: string | undefined, response: Omit<Entry, 'size'>): void {
      if (key === undefined) return;
      const size = response.bytes.length + key.length + response.projectIds.length * 8 + 200;
      const entry = { ...response, size };
      entries.set(key, entry);
      if (entries.peek(key) === entry) joinShare(entry, key); // not when it is too large
    },
    stats: () => ({ hits, misses, entries: entries.size, bytes: entries.calculatedSize }),
  };
}

export type ListCache = ReturnType<typeof createListCache>;
