import { describe, expect, test } from 'vitest';
import { listProjectsQuery } from '../../src/features/projects/project-schemas.ts';
import type { RequestInfo } from '../../src/http/request.ts';
import { createCacheKeys } from '../../src/list-cache/cache-keys.ts';
import { createResponseCache } from '../../src/list-cache/list-cache.ts';

const clock = () => new Date('2026-06-10T12:00:00Z');
const stamp = { list: '1', rows: 1 };
const request = (query: string, locale: 'en' | 'zh' = 'en'): RequestInfo => ({
  id: 'a-request',
  locale,
  address: '192.0.2.1',
  path: '/api/projects',
  url: `/api/projects${query}`,
  header: () => undefined,
  closed: () => new AbortController().signal,
});
const keyOf = createCacheKeys({ id: 'listProjects', query: listProjectsQuery });
const list = (bytes = 100) => ({ bytes: Buffer.alloc(bytes), etag: '"x"', projectIds: [1], stamp });

describe('the cache key', () => {
  const key = (query: string, locale?: 'en' | 'zh', userId = 1) => keyOf(userId, request(query, locale));

  test.each([
    ['', '?'],
    ['', '?x=1'],
    ['', '?page='],
    ['?page=2', '?nonce=8&page=2&_=9'],
    ['?page=2&limit=5', '?limit=5&page=2'],
    ['?search=a+b', '?search=a%20b'],
  ])('of %j is that of %j', (one, other) => {
    expect(key(one)).toBe(key(other));
  });

  test('differs by user, language and query', () => {
    const keys = [
      ...[key(''), key('', 'zh'), key('', 'en', 2), key('?page=2'), key('?page=3'), key('?search=page')],
      ...[key('?search=a%22%26page=2'), key('?search=a&page=2'), key('?sort=name'), key('?order=asc')],
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('a user who reads ever new lists', () => {
  test('evicts only their own entries, the oldest first', () => {
    const cache = createResponseCache(clock);
    const other = keyOf(2, request(''));
    cache.store(2, other, list());
    const keys = Array.from({ length: 500 }, (_, page) => keyOf(1, request(`?page=${page + 1}`)));
    for (const key of keys) cache.store(1, key, list());
    expect(cache.find(other, stamp)).toBeDefined();
    expect(keys.map((key) => cache.find(key, stamp) !== undefined)).toEqual(keys.map((_, index) => index >= 450));
    expect(cache.stats().entries).toBe(51);
  });

  test('occupies a limited number of bytes', () => {
    const cache = createResponseCache(clock);
    for (let page = 1; page <= 20; page += 1) cache.store(1, keyOf(1, request(`?page=${page}`)), list(900_000));
    expect(cache.stats().entries).toBe(2);
    expect(cache.stats().bytes).toBeLessThanOrEqual(2 * 1024 * 1024);
  });

  test('keeps entries that are stored again, and an entry that is too large evicts nothing', () => {
    const cache = createResponseCache(clock, { bytes: 10_000, entriesPerUser: 2, bytesPerUser: 5_000 });
    const [one, two] = [keyOf(1, request('?page=1')), keyOf(1, request('?page=2'))];
    for (let times = 0; times < 5; times += 1) {
      cache.store(1, one, list());
      cache.store(1, two, list());
    }
    expect([cache.find(one, stamp), cache.find(two, stamp)]).not.toContain(undefined);
    cache.store(3, keyOf(3, request('')), list(2_000_000));
    expect(cache.stats().entries).toBe(2);
  });

  test('fills the cache to its limit together with other users', () => {
    const cache = createResponseCache(clock, { bytes: 10_000, entriesPerUser: 50, bytesPerUser: 5_000 });
    for (let user = 1; user <= 100; user += 1) cache.store(user, keyOf(user, request('')), list(1_000));
    expect(cache.stats().bytes).toBeLessThanOrEqual(10_000);
    expect(cache.find(keyOf(100, request('')), stamp)).toBeDefined();
  });
});
