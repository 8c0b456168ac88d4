import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/lib/project-root.ts';

const requirements = 'docs/security-asvs.md';
const states = ['met', 'partly', 'not met', 'operator', 'n/a'];

const read = (file: string) => readFile(path.join(projectRoot, file), 'utf8');

/** The problem of a mentioned test file or, in parentheses, test title. */
async function problemOf(file: string, title: string | undefined): Promise<string | undefined> {
  const source = await read(path.join('tests', file)).catch(() => undefined);
  if (source === undefined) return `${file} does not exist`;
  return title === undefined || source.includes(title) ? undefined : `${file} has no test "${title}"`;
}

test('every test mentioned in the security documents exists', async () => {
  const text = `${await read('SECURITY.md')}\n${await read(requirements)}`;
  const mentions = [...text.matchAll(/`(?:tests\/)?((?:[\w-]+\/)+[\w-]+\.test\.ts)`(?: \("([^"]+)"\))?/g)];
  expect(mentions.length).toBeGreaterThan(100);
  // A mention in another form would not be verified.
  expect(mentions).toHaveLength(text.match(/\.test\.ts/g)?.length ?? 0);
  const problems = await Promise.all(mentions.map(([, file = '', title]) => problemOf(file, title)));
  expect([...new Set(problems)].filter(Boolean)).toEqual([]);
});

test('every requirement has one of the documented states', async () => {
  const rows = (await read(requirements)).split('\n').filter((line) => /^\| \d/.test(line));
  expect(rows.length).toBeGreaterThan(100);
  const others = rows.filter((row) => {
    const [, , level = '', , state = '', reason = ''] = row.split('|').map((cell) => cell.trim());
    return !/^\d(, \d)*$/.test(level) || !states.includes(state) || reason === '';
  });
  expect(others).toEqual([]);
});

test('every file linked from the security documents exists', async () => {
  for (const file of ['SECURITY.md', requirements]) {
    for (const [, target = ''] of (await read(file)).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g))
      await expect(access(path.join(projectRoot, path.dirname(file), target)), target).resolves.toBeUndefined();
  }
});
