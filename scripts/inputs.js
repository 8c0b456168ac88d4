import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

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
