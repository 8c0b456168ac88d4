// Before npm pack: writes npm-shrinkwrap.json, which the tarball includes, and removes from package.json what only development needs.
// With npm ci in the unpacked tarball an installation has exactly the packages that were tested. --undo, after it, restores both.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './inputs.js';

const file = (/** @type {string} */ name) => path.join(root, name);
const read = (/** @type {string} */ name) => JSON.parse(readFileSync(file(name), 'utf8'));
const write = (/** @type {string} */ name, /** @type {unknown} */ value) =>
  writeFileSync(file(name), `${JSON.stringify(value, null, 2)}\n`);

if (process.argv.includes('--undo')) {
  rmSync(file('npm-shrinkwrap.json'));
  renameSync(file('dist/package.json'), file('package.json'));
} else {
  const lock = read('package-lock.json');
  const needed = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true);
  const packages = Object.fromEntries(needed);
  const { devDependencies: _locked, ...service } = packages[''];
  write('npm-shrinkwrap.json', { ...lock, packages: { ...packages, '': service } });
  const { devDependencies: _development, ...released } = read('package.json');
  renameSync(file('package.json'), file('dist/package.json'));
  write('package.json', released);
}
