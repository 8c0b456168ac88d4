import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../project-root.ts';

let texts: Readonly<Record<string, string>> | undefined;

/** The traditional form of a text in simplified Chinese. */
export function traditional(simplified: string): string {
  // Read by the first request that needs it: a start does not wait for it.
  texts ??= JSON.parse(readFileSync(path.join(projectRoot, 'assets/languages/zh-Hant.json'), 'utf8')) as Record<
    string,
    string
  >;
  return texts[simplified] ?? simplified;
}
