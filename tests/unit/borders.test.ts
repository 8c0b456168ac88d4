import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../src/lib/project-root.ts';

/** What each room of the house may not import (the lint must say so), and what it may. */
const forbidden: readonly Import[] = [
  ['src/features/x/x-routes.ts', 'express'],
  ['src/server.ts', 'express'],
  ['src/container.ts', 'express'],
  ['src/boot/x.ts', 'express'],
  ['src/lib/x.ts', 'express'],
  ['src/db/x.ts', 'express'],
  ['src/features/x/x-service.ts', 'knex'],
  ['src/features/x/x-routes.ts', 'pg'],
  ['src/http/x.ts', 'knex'],
  ['src/cli/x.ts', 'pg'],
  ['src/features/x/x-service.ts', '../../db/database.ts', 'sql'],
  ['src/features/x/x-routes.ts', '../../db/database.ts', 'sql'],
  ['src/errors.ts', './features/x/x.ts'],
  ['src/lib/deep/x.ts', '../../features/x/x.ts'],
  ['src/messages/x.ts', '../http/x.ts'],
  ['src/db/x.ts', '../features/x/x.ts'],
  ['src/features/x/x-service.ts', '../../http/envelope.ts'],
  ['src/features/x/x-policy.ts', '../../http/envelope.ts'],
  ['src/features/x/x-repository.ts', '../../http/envelope.ts'],
  ['src/features/x/x-service.ts', '../y/y-repository.ts'],
  ['src/features/x/x-routes.ts', '../y/y-repository.ts'],
  ['src/features/x/x-repository.ts', '../y/y-repository.ts'],
  ['src/http/x.ts', '../features/y/y-service.ts'],
];
const allowed: readonly Import[] = [
  ['src/app.ts', 'express'],
  ['src/http/x.ts', 'express'],
  ['src/db/x.ts', 'knex'],
  ['src/features/x/x-repository.ts', 'knex'],
  ['src/features/x/x-read-model.ts', '../../db/database.ts', 'sql'],
  ['src/features/x/x-service.ts', './x-repository.ts'],
  ['src/features/x/x-service.ts', '../y/y-service.ts'],
  ['src/features/x/x-service.ts', '../../http/fields.ts'],
  ['src/features/x/x-routes.ts', '../../http/operation.ts'],
];

type Import = readonly [file: string, from: string, name?: string];
let house: string;
beforeAll(async () => {
  house = await mkdtemp(path.join(os.tmpdir(), 'studytrack-borders-'));
  await copyFile(path.join(projectRoot, 'biome.json'), path.join(house, 'biome.json'));
});
afterAll(() => rm(house, { recursive: true }));

/** Writes files that import what is given, a line each, and returns those the lint objects to. */
async function refused(imports: readonly Import[]): Promise<Import[]> {
  const files = new Map<string, Import[]>();
  for (const entry of imports) files.set(entry[0], [...(files.get(entry[0]) ?? []), entry]);
  await rm(path.join(house, 'src'), { recursive: true, force: true });
  for (const [file, lines] of files) {
    await mkdir(path.dirname(path.join(house, file)), { recursive: true });
    const text = lines.map(([, from, name = 'x'], line) => `export { ${name} as x${line} } from '${from}';\n`);
    await writeFile(path.join(house, file), text.join(''));
  }
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome');
  const options = ['lint', '--only=style/noRestrictedImports', '--vcs-enabled=false', '--reporter=github'];
  const report = await promisify(execFile)(process.execPath, [biome, ...options, '--max-diagnostics=none', 'src'], {
    cwd: house,
  }).catch((error: { stdout: string }) => error);
  const places = report.stdout.matchAll(/noRestrictedImports,file=[^,]*?(src\/[^,]+),line=(\d+)/g);
  return [...places].flatMap(([, file = '', line]) => {
    const entry = files.get(file)?.[Number(line) - 1];
    return entry === undefined ? [] : [entry];
  });
}

test('the lint keeps every border of the house', async () => {
  expect((await refused(forbidden)).sort()).toEqual([...forbidden].sort());
});

test('the lint lets through what the house is built on', async () => {
  expect(await refused(allowed)).toEqual([]);
});
