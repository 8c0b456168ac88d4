import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { renderApi } from '../../client/generate.ts';

test('the types of the client are up to date (otherwise: npm run openapi)', async () => {
  const kept = await readFile(new URL('../../client/src/api.ts', import.meta.url), 'utf8');
  expect(kept === (await renderApi())).toBe(true);
});
