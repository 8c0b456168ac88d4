import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Node.js 20.19 or later is required; this is ${process.version}.\n`);
  process.exit(1);
}

export const root = path.dirname(import.meta.dirname);

/**
 * Time and size of each input of a build. Unlike the newest time, they also change with older or removed files.
 * @param {{ folders: string[], files: string[], pattern: RegExp }} inputs
 * @returns {Record<string, string>}
 */
export function readInputs({ folders, files, pattern }) {
  const found = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => pattern.test(name))
      .map((name) => path.join(folder, name)),
  );
  const entries = [...found, ...files].map((name) => {
    const { mtimeMs, size } = statSync(path.join(root, name));
    return [name, `${mtimeMs} ${size}`];
  });
  return Object.fromEntries(entries);
}
