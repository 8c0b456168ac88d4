import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../src/project-root.ts';

type Import = readonly [file: string, from: string];

/** Imports that each layer must not have. */
const forbidden: readonly Import[] = [
  ['src/features/study/timer/timer-routes.ts', 'express'],
  ['src/server.ts', 'express'],
  ['src/boot/composition/index.ts', 'express'],
  ['src/boot/step.ts', 'express'],
  ['src/lib/clock.ts', 'express'],
  ['src/db/database.ts', 'express'],
  ['src/features/study/timer/timer-service.ts', 'knex'],
  ['src/features/study/timer/timer-repository.ts', 'pg'],
  ['src/http/mount.ts', 'knex'],
  ['src/cli/seed.ts', 'pg'],
  ['src/lib/export/exporter.ts', 'vitest'],
  ['src/lib/metrics.ts', '../../tests/support.ts'],
  ['src/features/study/timer/timer-service.ts', '../../../db/sql/sql.ts'],
  ['src/features/study/timer/timer-routes.ts', '../../../db/sql/sql.ts'],
  ['src/texts/errors.ts', '../features/accounts/users/user-schemas.ts'],
  ['src/lib/storage/storage.ts', '../../features/accounts/users/user-schemas.ts'],
  ['src/lib/jobs.ts', '../db/executor.ts'],
  ['src/texts/accounts.ts', '../boot/composition/index.ts'],
  ['src/db/executor.ts', '../features/accounts/users/user-schemas.ts'],
  ['src/embedded-postgres/cluster.ts', '../db/executor.ts'],
  ['src/list-cache/list-cache.ts', '../features/accounts/users/user-schemas.ts'],
  ['src/features/study/timer/timer-service.ts', '../../../http/envelope.ts'],
  ['src/features/study/timer/timer-rules.ts', '../../../http/envelope.ts'],
  ['src/features/study/timer/timer-rules.ts', './timer-repository.ts'],
  ['src/features/study/timer/timer-repository.ts', '../../../http/envelope.ts'],
  ['src/features/study/timer/timer-repository.ts', './timer-service.ts'],
  ['src/features/study/timer/timer-service.ts', './timer-routes.ts'],
  ['src/features/study/timer/timer-service.ts', '../../school/users/user-repository.ts'],
  ['src/features/accounts/users/user-read-model.ts', '../../study/timer/timer-service.ts'],
  ['src/features/study/timer/timer-routes.ts', '../../accounts/users/user-routes.ts'],
  ['src/features/study/timer/timer-service.ts', '../projects/project-service.ts'],
  ['src/features/study/timer/timer-service.ts', '../goals/goal-service.ts'],
  ['src/features/study/timer/timer-service.ts', '../../../boot/step.ts'],
  ['src/features/study/timer/timer-routes.ts', '../../../cli/seed.ts'],
  ['src/boot/workers.ts', '../cli/seed.ts'],
  ['src/http/operation.ts', '../features/accounts/users/user-service.ts'],
  ['src/http/mount.ts', '../boot/composition/index.ts'],
  ['src/lib/loop.ts', './loop.ts'],
  ['src/lib/missing.ts', './nowhere.ts'],
  ['web/src/ui/button.ts', '../features/users/page.ts'],
  ['web/src/lib/format.ts', '../features/users/page.ts'],
  ['web/src/main.ts', '../../src/texts/errors.ts'],
];
const allowed: readonly Import[] = [
  ['src/boot/app.ts', 'express'],
  ['src/http/mount.ts', 'express'],
  ['src/db/database.ts', 'knex'],
  ['src/lib/jobs.ts', '../texts/errors.ts'],
  ['src/features/accounts/users/user-repository.ts', '../../../db/sql/sql.ts'],
  ['src/features/accounts/users/user-read-model.ts', '../../../db/sql/sql.ts'],
  ['src/features/accounts/users/user-service.ts', './user-repository.ts'],
  ['src/features/study/timer/timer-service.ts', '../../accounts/users/user-service.ts'],
  ['src/features/study/timer/timer-service.ts', '../../../http/fields.ts'],
  ['src/features/study/timer/timer-routes.ts', '../../../http/operation.ts'],
  ['src/features/study/projects/project-service.ts', '../goals/goal-repository.ts'],
  ['src/features/accounts/accounts.ts', './users/user-routes.ts'],
  ['src/cli/seed.ts', '../boot/composition/index.ts'],
  ['web/src/features/users/form.ts', '../../ui/button.ts'],
];

/** Creates files with these imports, and empty targets; returns the rejected imports. */
async function rejected(imports: readonly Import[]): Promise<string[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-boundaries-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const file of ['.dependency-cruiser.js', 'package.json', 'tsconfig.json'])
    await copyFile(path.join(projectRoot, file), path.join(folder, file));
  await symlink(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));
  const texts = new Map<string, string>();
  for (const [file, from] of imports) {
    texts.set(file, `${texts.get(file) ?? ''}import '${from}';\n`);
    const target = path.join(path.dirname(file), from);
    if (from.startsWith('.') && !from.includes('nowhere') && !texts.has(target)) texts.set(target, '');
  }
  for (const [file, text] of texts) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  const program = path.join(projectRoot, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const report = await promisify(execFile)(process.execPath, [program, '--output-type', 'json', 'src', 'web/src'], {
    cwd: folder,
    maxBuffer: 50_000_000,
  }).catch((error: { stdout: string }) => error);
  const { summary } = JSON.parse(report.stdout) as { summary: { violations: { from: string; to: string }[] } };
  const isRejected = ([file, from]: Import) => {
    const target = from.startsWith('.') ? [path.join(path.dirname(file), from), from] : [`/${from}/`];
    return summary.violations.some((one) => one.from === file && target.some((end) => one.to.includes(end)));
  };
  return imports.filter(isRejected).map((entry) => entry.join(' '));
}

test('imports across a boundary are rejected, all others are accepted', async () => {
  expect(await rejected([...allowed, ...forbidden])).toEqual(forbidden.map((entry) => entry.join(' ')));
});
