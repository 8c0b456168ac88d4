import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../src/project-root.ts';

type Change = readonly [from: string | RegExp, to: string];

/** A file of docs/cluster, which operators copy, with some parts replaced. Each part must occur. */
export async function configuration(file: string, changes: readonly Change[]): Promise<string> {
  const text = await readFile(path.join(projectRoot, 'docs/cluster', file), 'utf8');
  return changes.reduce((changed, [from, to]) => {
    if (typeof from === 'string' ? !changed.includes(from) : changed.search(from) === -1)
      throw new Error(`docs/cluster/${file}: no ${from} in\n${text}`);
    return changed.replaceAll(from, to);
  }, text);
}

/** The first code block in a language in docs/operations.md, which operators copy. */
export async function blockOfGuide(language: string): Promise<string> {
  const guide = await readFile(path.join(projectRoot, 'docs/operations.md'), 'utf8');
  const [, block] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide) ?? [];
  if (block === undefined) throw new Error(`docs/operations.md has no ${language} block`);
  return block;
}
