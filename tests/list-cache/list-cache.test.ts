import { describe, expect, test } from 'vitest';
import { listProjectsQuery } from '../../src/features/study/projects/project-schemas.ts';
import { operation } from '../../src/http/operation.ts';
import { createListCache } from '../../src/list-cache/list-cache.ts';

const clock = () => new Date('2026-06-10T12:00:00Z');
const cacheVersion = { list: '1', rows: 1 };
const list = (bytes = 100, userId = 1) => ({
  ...{ bytes: Buffer.alloc(bytes), etag: '"x"', projectIds: [1], cacheVersion },
  ...{ userId, role: 'user' as const },
});
const listProjects = operation({
  ...{ method: 'get', path: '/api/projects', id: 'listProjects', tag: 'Projects', summary: '', access: 'user' },
  query: listProjectsQuery,
  cached: { unless: ({ state }) => state !== 'all' },
  handler: async () => ({}),
});
const { keyOf } = createListCache(clock);
const key = (query: string, locale = 'en', userId = 1) =>
  keyOf(listProjects.id, userId, locale, listProjects.read({ url: `/api/projects${query}`, params: {} }).cacheKey);

describe('the cache key', () => {
  test.each([
    ['', '?'],
    ['', '?x=1'],
    ['', '?page='],
    ['', '?page=1'],
    ['?page=2', '?nonce=8&page=2&_=9'],
    ['?page=2&limit=5', '?limit=5&page=2'],
    ['?search=a+b', '?search=a%20b'],
    ['?limit=100', '?limit=1000'],
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

  test.each(['?state=behind', '?page=0', '?page=1&page=2'])('is missing for %j, which is not cached', (query) => {
    expect(key(query)).toBeUndefined();
  });
});

test('a response is for the role with which it was made, and for its cache version', () => {
  const cache = createListCache(clock);
  cache.store(key(''), list());
  expect(cache.find(key(''), 'user', cacheVersion)).toBeDefined();
  expect(cache.find(key(''), 'admin', cacheVersion)).toBeUndefined();
  for (const other of [
    { list: '2', rows: 1 },
    { list: '1', rows: 2 },
  ])
    expect(cache.find(key(''), 'user', other)).toBeUndefined();
});

describe('a user who reads ever new lists', () => {
  test('evicts only their own entries, the oldest first', () => {
    const cache = createListCache(clock);
    const other = key('', 'en', 2);
    cache.store(other, list(100, 2));
    const keys = Array.from({ length: 500 }, (_, page) => key(`?page=${page + 1}`));
    for (const one of keys) cache.store(one, list());
    expect(cache.find(other, 'user', cacheVersion)).toBeDefined();
    expect(keys.map((one) => cache.find(one, 'user', cacheVersion) !== undefined)).toEqual(
      keys.map((_, index) => index >= 450),
    );
    expect(cache.stats().entries).toBe(51);
  });

  test('occupies a limited number of bytes', () => {
    const cache = createListCache(clock);
    for (let page = 1; page <= 20; page += 1) cache.store(key(`?page=${page}`), list(900_000));
    expect(cache.stats().entries).toBe(2);
    expect(cache.stats().bytes).toBeLessThanOrEqual(2 * 1024 * 1024);
  });

  test('keeps entries that are stored again, and an entry that is too large evicts nothing', () => {
    const cache = createListCache(clock, { bytes: 10_000, entriesPerUser: 2, bytesPerUser: 5_000 });
    const [one, two] = [key('?page=1'), key('?page=2')];
    for (let times = 0; times < 5; times += 1) {
      cache.store(one, list());
      cache.store(two, list());
    }
    expect([cache.find(one, 'user', cacheVersion), cache.find(two, 'user', cacheVersion)]).not.toContain(undefined);
    cache.store(key('', 'en', 3), list(2_000_000, 3));
    expect(cache.stats().entries).toBe(2);
  });

  test('fills the cache to its limit together with other users', () => {
    const cache = createListCache(clock, { bytes: 10_000, entriesPerUser: 50, bytesPerUser: 5_000 });
    for (let user = 1; user <= 100; user += 1) cache.store(key('', 'en', user), list(1_000, user));
    expect(cache.stats().bytes).toBeLessThanOrEqual(10_000);
    expect(cache.find(key('', 'en', 100), 'user', cacheVersion)).toBeDefined();
  });
});
