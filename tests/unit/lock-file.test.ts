import { expect, test } from 'vitest';
import { missingPackages, readLock } from '../../scripts/complete-lock.ts';

test('the lock file lists every optional package, or npm ci would reject it (otherwise: npm run lock:complete)', async () => {
  expect(missingPackages(await readLock())).toEqual([]);
});

/** The first versions without a known vulnerability that is relevant here. */
const minimums: Readonly<Record<string, string>> = {
  'body-parser': '2.2.1',
  'express-rate-limit': '8.6.2',
  jsonwebtoken: '9.0.0',
  knex: '2.4.0',
  multer: '2.4.0',
  'path-to-regexp': '8.4.0',
  qs: '6.14.1',
  zod: '3.22.3',
};

test('no production package is older than the fix of its latest vulnerability', async () => {
  const { packages } = await readLock();
  const seen = new Set<string>();
  const older = Object.entries(packages).filter(([place, { version = '', dev = false }]) => {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const minimum = minimums[name];
    if (minimum === undefined || dev) return false;
    seen.add(name);
    return version.localeCompare(minimum, 'en', { numeric: true }) < 0;
  });
  expect(older).toEqual([]);
  expect([...seen].sort()).toEqual(Object.keys(minimums));
});
