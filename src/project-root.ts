import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const projectRoot = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  const parent = dirname(folder);
  return existsSync(join(folder, 'package.json')) || parent === folder ? folder : findRoot(parent);
}

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };

export const { version } = manifest;
