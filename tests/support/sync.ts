import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../src/project-root.ts';

type Item = { id: number; project_name?: string };
export type Copy = {
  projects: Map<number, Item>;
  sessions: Map<number, Item>;
  colors?: Map<number, number>;
  cursor?: string;
};
type Sync = (copy: Copy, options: { url: string; token: string; limit?: number }) => Promise<void>;

export const emptyCopy = (): Copy => ({ projects: new Map(), sessions: new Map() });

/** The consumer that docs/sync.md shows. */
export async function documentedSync(): Promise<Sync> {
  const page = await readFile(path.join(projectRoot, 'docs/sync.md'), 'utf8');
  const [, code = ''] = /```js\n([\s\S]+?)```/.exec(page) ?? [];
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-sync-'));
  const file = path.join(folder, 'sync.mjs');
  await writeFile(file, code);
  const { sync } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { sync: Sync };
  await rm(folder, { recursive: true });
  return sync;
}
