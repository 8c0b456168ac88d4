import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { missingPackages, readLock } from '../../scripts/complete-lock.ts';
import { projectRoot } from '../../src/project-root.ts';

const folders = ['.', 'tools', 'mcp'];
const { packages } = await readLock();

test.each(folders)(
  'the lock file of %s lists every optional package, or npm ci would reject it (otherwise: npx tsx scripts/complete-lock.ts)',
  async (folder) => {
    expect(missingPackages(await readLock(folder))).toEqual([]);
  },
);

test.each(folders)(
  'every package of %s is verified against a checksum (npm view NAME@VERSION dist.integrity)',
  async (folder) => {
    const unverified = Object.entries((await readLock(folder)).packages).filter(
      ([place, { integrity, link }]) => place !== '' && !link && integrity === undefined,
    );
    expect(unverified.map(([place]) => place)).toEqual([]);
  },
);

test.each(folders)(
  'package.json of %s decides on the install scripts of every package that has some',
  async (folder) => {
    const { allowScripts = {} } = JSON.parse(await readFile(path.join(projectRoot, folder, 'package.json'), 'utf8'));
    const withScripts = Object.entries((await readLock(folder)).packages).filter(
      ([, { hasInstallScript }]) => hasInstallScript,
    );
    const names = withScripts.map(([place]) =>
      place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
    );
    expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(names)].toSorted());
  },
);

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
