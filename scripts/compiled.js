// Remembers from which sources dist/ was compiled: node scripts/compiled.js
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readInputs, root } from './inputs.js';

const stampFile = path.join(root, 'dist/.sources.json');

function readStamp() {
  const files = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
  return JSON.stringify(readInputs({ folders: ['src', 'migrations', 'seeds'], files, pattern: /\.ts$/ }));
}

/** Whether dist/ has a complete compilation, of whatever sources. */
export const isCompiled = () => existsSync(stampFile);

/** Whether dist/ was compiled from the present sources. */
export const isUpToDate = () => isCompiled() && readFileSync(stampFile, 'utf8') === readStamp();

export function markCompiled() {
  writeFileSync(stampFile, readStamp());
}

if (process.argv[1] === import.meta.filename) markCompiled();
