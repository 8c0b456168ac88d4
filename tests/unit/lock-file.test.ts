import { expect, test } from 'vitest';
import { missingPackages, readLock } from '../../scripts/complete-lock.ts';

const { packages } = await readLock();

test('the lock file lists every optional package, or npm ci would reject it (otherwise: npx tsx scripts/complete-lock.ts)', () => {
  expect(missingPackages({ packages })).toEqual([]);
});

test('every package that npm ci installs here or in production is verified against a checksum', () => {
  const unverified = Object.entries(packages).filter(
    ([place, { integrity, link, dev, optional }]) =>
      place !== '' && !link && integrity === undefined && !(dev && optional),
  );
  expect(unverified.map(([place]) => place)).toEqual([]);
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

test.each(Object.entries(minimums))('%s is at least %s, which fixes a vulnerability', (name, minimum) => {
  const versions = Object.entries(packages)
    .filter(([place, { dev }]) => !dev && place.endsWith(`node_modules/${name}`))
    .map(([, { version = '' }]) => version);
  expect(versions).not.toEqual([]);
  for (const version of versions)
    expect(version.localeCompare(minimum, 'en', { numeric: true }), version).toBeGreaterThanOrEqual(0);
});
