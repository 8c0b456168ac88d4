import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../src/lib/project-root.ts';
import { createTestDatabase } from '../support/database.ts';
import { strongSecret } from '../support/secrets.ts';
import { runProgram, signIn } from '../support/service-process.ts';

const execute = promisify(execFile);

let home: string;
beforeAll(async () => {
  const beside = path.join(projectRoot, 'dist'); // not the temporary folder: links do not lead to another file system
  await mkdir(beside, { recursive: true });
  home = await mkdtemp(path.join(beside, 'image-'));
  await chmod(home, 0o755);
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** What `COPY . .` copies. */
async function copyContext(target: string): Promise<void> {
  const [first, ...rest] = (await readFile(path.join(projectRoot, '.dockerignore'), 'utf8')).trim().split('\n');
  expect(first).toBe('*');
  for (const line of rest) {
    expect(line).toMatch(/^!/);
    await cp(path.join(projectRoot, line.slice(1)), path.join(target, line.slice(1)), { recursive: true });
  }
}

type Stage = { instruction: string; given: string }[];

/** The instructions of each stage, with continued lines joined and comments left out. */
async function readStages(): Promise<Stage[]> {
  const text = await readFile(path.join(projectRoot, 'Dockerfile'), 'utf8');
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, '')
    .split('\n')
    .filter((line) => line !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, instruction = '', given = ''] = /^(\w+) +(.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') stages.push([]);
    else stages.at(-1)?.push({ instruction, given });
  }
  return stages;
}

type Lock = { packages: Record<string, { version?: string }> };
const readLock = async (file: string): Promise<Lock> =>
  JSON.parse(await readFile(path.join(projectRoot, file), 'utf8'));

/** Whether the packages of this checkout are those that `npm ci` would install. */
async function isInstalled(): Promise<boolean> {
  const [wanted, installed] = [await readLock('package-lock.json'), await readLock('node_modules/.package-lock.json')];
  return Object.entries(installed.packages).every(([name, { version }]) => wanted.packages[name]?.version === version);
}

/** What `npm ci` would install, as links to the files of this checkout, which it installed from the same lock file. */
async function linkPackages(folder: string): Promise<boolean> {
  if (!(await isInstalled())) return false;
  const target = path.join(folder, 'node_modules');
  try {
    await execute('cp', ['-al', path.join(projectRoot, 'node_modules'), target]);
  } catch {
    await rm(target, { recursive: true, force: true }); // another file system, or a `cp` that cannot
    return false;
  }
  // What the build writes in place must not be written to the checkout too.
  for (const cache of ['.cache', '.vite', '.vite-temp'])
    await rm(path.join(target, cache), { recursive: true, force: true });
  // The one file that npm changes in place.
  const list = path.join(target, '.package-lock.json');
  await rm(list);
  await copyFile(path.join(projectRoot, 'node_modules/.package-lock.json'), list);
  return true;
}

/** Carries out a stage's RUN and COPY instructions in a folder in place of /app, as this user in place of `node`. */
async function build(stage: Stage, folder: string, copy: (given: string) => Promise<void>): Promise<void> {
  await mkdir(folder);
  const { uid, gid } = os.userInfo();
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], npm_config_prefer_offline: 'true' };
  for (const { instruction, given } of stage) {
    if (instruction === 'COPY') await copy(given);
    if (instruction === 'RUN' && !(given === 'npm ci' && (await linkPackages(folder)))) {
      const line = given.replace('-o node -g node', `-o ${uid} -g ${gid}`);
      await execute('sh', ['-ec', line], { cwd: folder, env, maxBuffer: 1e8 });
    }
  }
}

test('the image, carried out without Docker: it builds without leftovers of earlier sources, starts and runs every command', async () => {
  const [first = [], second = [], ...others] = await readStages();
  expect(others).toEqual([]);
  const source = path.join(home, 'build');
  await build(first, source, async (given) => {
    if (given === '. .') {
      await copyContext(source);
      await mkdir(path.join(source, 'dist/migrations'), { recursive: true });
      await writeFile(path.join(source, 'dist/migrations/20990101000000_removed.js'), 'throw new Error("removed");');
      return;
    }
    for (const name of given.split(' ').slice(0, -1)) await cp(path.join(projectRoot, name), path.join(source, name));
  });
  const app = path.join(home, 'app');
  await build(second, app, async (given) => {
    const [, from = '', to = ''] = /^--from=build \/app\/(\S+) (\S+)$/.exec(given) ?? [];
    const target = path.join(app, to === './' ? from : to);
    await rename(path.join(source, from), target); // nothing else needs the first stage
  });
  await rm(source, { recursive: true });
  expect(
    (await readdir(path.join(app, 'node_modules'))).filter((name) => /^(tsx|typescript|vitest|vite|react)$/.test(name)),
  ).toEqual([]);

  const database = await createTestDatabase({ empty: true });
  onTestFinished(database.drop);
  const restored = await createTestDatabase({ empty: true });
  onTestFinished(restored.drop);
  const settings = {
    PATH: `${app}/node_modules/.bin:${process.env['PATH']}`,
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
    JWT_SECRET: strongSecret,
    ADMIN_PASSWORD: 'correct horse battery',
    PORT: '0',
  };
  const studytrack = async (words: string[], more: NodeJS.ProcessEnv = {}) => {
    const { ended, written } = runProgram('studytrack', words, { cwd: app, env: { ...settings, ...more } });
    return [await ended, written.stdout, written.stderr];
  };
  const says = (pattern: RegExp) => [0, expect.stringMatching(pattern), ''];
  const file = path.join(home, 'backup.tar.gz');

  const { stdout: help } = await execute('studytrack', ['--help'], { cwd: app, env: settings });
  const names = [...help.matchAll(/^ {2}([a-z:]+) {2,}/gm)].map(([, name]) => name);
  const ran = new Set<string | undefined>(['start']);
  const expectRun = async (words: string[], outcome: unknown[], more?: NodeJS.ProcessEnv) => {
    ran.add(words[0]);
    expect(await studytrack(words, more), words.join(' ')).toEqual(outcome);
  };
  await expectRun(['migrate', 'status'], says(/^pending \d{14}_create_users$/m));
  await expectRun(['migrate'], says(/^applied \d{14}_create_users$/m));
  await expectRun(['migrate', 'make', 'add_things'], [1, '', 'migrate make requires a checkout of the sources.\n']);
  await expectRun(['migrate', 'down'], says(/^reverted /));
  await expectRun(
    ['seed'],
    [1, '', expect.stringMatching(/^The example school is not allowed with NODE_ENV=production/)],
  );
  await expectRun(['seed', '--force'], says(/An example school/));
  const who = ['--username', 'lin', '--email', 'lin@example.org'];
  await expectRun(['admin:create', ...who], says(/^Administrator lin created/));
  await expectRun(['admin:reset', '--username', 'lin'], says(/^Administrator lin can sign in/));
  await expectRun(['doctor'], [expect.any(Number), expect.stringMatching(/^ok {7}schema$/m), '']);
  await expectRun(['projects:recalculate'], says(/^no drift$/m));
  await expectRun(['uploads:prune'], says(/^There is nothing/));
  await expectRun(['retention', '--dry-run'], says(/all is kept/));
  await expectRun(['openapi', '--to', path.join(home, 'openapi.json')], says(/operations$/m));
  await expectRun(['backup', '--to', file], [0, expect.stringMatching(/^Backup written/), expect.any(String)]);
  await expectRun(['restore', '--from', file], [0, expect.stringMatching(/restored\.$/m), expect.any(String)], {
    DATABASE_URL: restored.url,
  });
  expect([...ran].sort()).toEqual([...names].sort());

  // npm scripts reach the same program.
  const { stdout } = await execute('npm', ['run', '--silent', 'migrate', '--', 'status'], {
    cwd: app,
    env: { ...settings, HOME: home },
  });
  expect(stdout).toBe('The schema is up to date.\n');

  const command: string[] = JSON.parse(second.find(({ instruction }) => instruction === 'CMD')?.given ?? '[]');
  const service = runProgram(command[0] ?? '', command.slice(1), { cwd: app, env: settings });
  const origin = await service.seen(/"origin":"([^"]+)".*"ready"/);
  await signIn(origin, 'lin', settings.ADMIN_PASSWORD);
  expect((await fetch(`${origin}/docs/swagger-ui.css`)).status).toBe(200);
  const page = await fetch(origin, { headers: { Accept: 'text/html' } });
  expect(await page.text()).toMatch(/<script [^>]*src="\/assets\/main-[^"]+\.js"/);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
}, 900_000);
