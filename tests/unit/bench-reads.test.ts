import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { reads } from '../../bench/reads/cases.ts';

test('the benchmark covers exactly the GET operations', async () => {
  const document = JSON.parse(await readFile('docs/openapi.json', 'utf8'));
  const paths: Record<string, { get?: { operationId: string } }> = document.paths;
  const ids = Object.values(paths).flatMap(({ get }) => (get === undefined ? [] : [get.operationId]));
  expect(Object.keys(reads).sort()).toEqual(ids.sort());
});
