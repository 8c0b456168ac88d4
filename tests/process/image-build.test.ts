import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../src/lib/project-root.ts';

const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-image-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('what the build context of the image holds compiles, and its commands run without development packages', async () => {
  const allowed = (await readFile(path.join(projectRoot, '.dockerignore'), 'utf8')).matchAll(/^!(.+)$/gm);
  for (const [, name = ''] of allowed)
    await cp(path.join(projectRoot, name), path.join(folder, name), { recursive: true });
  await symlink(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'));

  await run('node_modules/.bin/tsc', ['-b', 'tsconfig.build.json', '--noCheck'], { cwd: folder });
  for (const command of ['admin-create', 'backup', 'restore', 'migrate', 'projects-recalculate', 'uploads-prune']) {
    const { stdout } = await run(process.execPath, [`dist/src/cli/${command}.js`, '--help'], { cwd: folder });
    expect(stdout, command).toContain('npm run');
  }
}, 60_000);
