import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/project-root.ts';

const read = (file: string) => readFile(path.join(projectRoot, file), 'utf8');

test('every test that docs/accessibility.md names exists, with its title', async () => {
  const named = [...(await read('docs/accessibility.md')).matchAll(/`(tests\/[\w/-]+\.test\.ts)` \("([^"]+)"\)/g)];
  expect(named.length).toBeGreaterThan(10);
  for (const [, file = '', title = ''] of named) expect(await read(file), title).toContain(`'${title}'`);
});
