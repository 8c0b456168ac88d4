// Removes the compiled files of sources that no longer exist: node scripts/remove-stale.js
// The compiler keeps them, and a removed migration would still be applied.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from './inputs.js';

export function removeStaleOutput() {
  for (const folder of ['src', 'migrations', 'seeds']) {
    const output = path.join(root, 'dist', folder);
    if (!existsSync(output)) continue;
    for (const name of readdirSync(output, { recursive: true, encoding: 'utf8' })) {
      const source = path.join(root, folder, name.replace(/\.js(\.map)?$/, '.ts'));
      if (/\.js(\.map)?$/.test(name) && !existsSync(source)) rmSync(path.join(output, name));
    }
  }
}

if (process.argv[1] === import.meta.filename) removeStaleOutput();
