import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { renderApi } from '../../client/generate.ts';

test('the client types are up to date (otherwise: npm run openapi)', async () => {
  const stored = await readFile(new URL('../../client/src/api.ts', import.meta.url), 'utf8');
  expect(stored === (await renderApi())).toBe(true);
});
