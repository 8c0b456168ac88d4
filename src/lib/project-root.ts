import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of package.json, found from `src/` and from the compiled `dist/`. */
export const projectRoot = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  const parent = dirname(folder);
  return existsSync(join(folder, 'package.json')) || parent === folder ? folder : findRoot(parent);
}
