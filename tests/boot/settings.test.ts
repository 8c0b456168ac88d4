import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { projectRoot } from '../../src/lib/project-root.ts';
import { settingsSchema } from '../../src/settings.ts';

const read = (file: string) => readFile(path.join(projectRoot, file), 'utf8');
const names = Object.keys(settingsSchema.shape).sort();

test('.env.example lists exactly the existing settings, each with its default', async () => {
  const example = parseEnv(await read('.env.example'));
  expect(Object.keys(example).sort()).toEqual(names);
  expect(readConfig(example)).toEqual(readConfig({}));
  expect(example['JWT_SECRET']).toBe('');
});

test('docs/settings.md matches .env.example', async () => {
  const example = parseEnv(await read('.env.example'));
  const table = await read('docs/settings.md');
  const rows = [...table.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|/gm)];
  expect(rows.map(([, name]) => name).sort()).toEqual(names);
  for (const [, name = '', value = ''] of rows) expect([name, value]).toEqual([name, example[name]]);
});

test('an empty value is treated as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', ADMIN_PASSWORD: '' })).toEqual(readConfig({}));
});
