// Writes npm-shrinkwrap.json, which npm pack includes: package-lock.json without what only development needs. With npm ci in the
// unpacked tarball an installation has exactly the packages that were tested.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './inputs.js';

const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
const needed = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true);
const packages = Object.fromEntries(needed);
const { devDependencies: _development, ...service } = packages[''];
const shrinkwrap = { ...lock, packages: { ...packages, '': service } };
writeFileSync(path.join(root, 'npm-shrinkwrap.json'), `${JSON.stringify(shrinkwrap, null, 2)}\n`);
