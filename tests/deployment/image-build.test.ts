import { execFile, execFileSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '../../src/project-root.ts';
import { createTestDatabase } from '../support/database.ts';
import { copyContext, readStages, runStage, type Stage } from '../support/image-build.ts';
import { strongSecret } from '../support/secrets.ts';
import { runProgram, signIn, temporaryFolder } from '../support/service-process.ts';

const execute = promisify(execFile);

let home: string;
let app: string;
let tarball: string;
let image: Stage;

beforeAll(async () => {
  const beside = path.join(projectRoot, 'dist'); // not the temporary folder: links do not lead to another file system
  await mkdir(beside, { recursive: true });
  home = await mkdtemp(path.join(beside, 'image-'));
  await chmod(home, 0o755);
  const [first = [], second = [], ...others] = await readStages();
  expect(others).toEqual([]);
  image = second;

  const source = path.join(home, 'build');
  await runStage(first, source, async (given) => {
    if (given === '. .') {
      await copyContext(source);
      await mkdir(path.join(source, 'dist/migrations'), { recursive: true });
      await writeFile(path.join(source, 'dist/migrations/20990101000000_removed.js'), 'throw new Error("removed");');
      return;
    }
    for (const name of given.split(' ').slice(0, -1)) await cp(path.join(projectRoot, name), path.join(source, name));
  });
  const [packed = ''] = (await readdir(source)).filter((file) => file.endsWith('.tgz'));
  tarball = path.join(home, packed);
  await rename(path.join(source, packed), tarball);

  app = path.join(home, 'app');
  await runStage(second, app, async (given) => {
    const [, from = '', to = ''] = /^--from=build \/app\/(\S+) (\S+)$/.exec(given) ?? [];
    // Nothing else needs the first stage.
    const moved = to === './' ? await readdir(path.join(source, from)) : ['.'];
    for (const name of moved) await rename(path.join(source, from, name), path.join(app, to, name));
  });
  await rm(source, { recursive: true });
}, 600_000);
afterAll(() => rm(home, { recursive: true, force: true }));

test('the image, carried out without Docker: it builds without leftovers of earlier sources, starts and runs every command', async () => {
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

  const command: string[] = JSON.parse(image.find(({ instruction }) => instruction === 'CMD')?.given ?? '[]');
  const service = runProgram(command[0] ?? '', command.slice(1), { cwd: app, env: settings });
  const origin = await service.seen(/"origin":"([^"]+)".*"ready"/);
  await signIn(origin, 'lin', settings.ADMIN_PASSWORD);
  expect((await fetch(`${origin}/docs/swagger-ui.css`)).status).toBe(200);
  const page = await fetch(origin, { headers: { Accept: 'text/html' } });
  expect(await page.text()).toMatch(/<script [^>]*src="\/assets\/main-[^"]+\.js"/);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
}, 900_000);

test('npm ci in the unpacked tarball, as docs/one-server.md says, finds the packages of the lock file', async () => {
  const unpacked = path.join(home, 'unpacked');
  await mkdir(unpacked);
  execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
  const { stdout } = await execute('npm', ['ci', '--omit=dev', '--dry-run', '--no-audit', '--loglevel=notice'], {
    cwd: unpacked,
  });
  expect(stdout).toMatch(/^add express /m);
});

test('the tarball is complete: a service installed from it starts without a network, for an ordinary user in an empty folder', async () => {
  const installed = path.join(home, 'installed');
  await execute('npm', ['install', '--prefix', installed, '--prefer-offline', '--no-audit', '--no-fund', tarball], {
    maxBuffer: 1e8,
  });
  const shrinkwrap = JSON.parse(
    await readFile(path.join(installed, 'node_modules/studytrack/npm-shrinkwrap.json'), 'utf8'),
  );
  expect(Object.keys(shrinkwrap.packages)).not.toContain('node_modules/vitest');
  expect(await readdir(path.join(installed, 'node_modules'))).not.toContain('swagger-ui-dist');

  const folder = await temporaryFolder();
  const isRoot = process.getuid?.() === 0;
  if (isRoot)
    for (const name of [folder, path.join(folder, 'empty')])
      await mkdir(name, { recursive: true }).then(() => chown(name, 65534, 65534));
  else await mkdir(path.join(folder, 'empty'));
  // Only root may take the network away, and become another user.
  const user = isRoot
    ? [
        'unshare',
        '--net',
        'sh',
        '-c',
        'ip link set lo up; exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"',
        'sh',
      ]
    : ['env'];
  const [program = '', ...words] = [...user, path.join(installed, 'node_modules/.bin/studytrack'), 'start'];
  const service = runProgram(program, words, {
    cwd: path.join(folder, 'empty'),
    env: { PATH: process.env['PATH'], HOME: folder, PORT: '0' },
  });
  const origin = await service.seen(/"origin":"([^"]+)".*"ready"/);
  await service.seen(/\/setup#token=/);
  const read = `Promise.all(['/', '/docs/swagger-ui.css', '/readyz'].map(async (each) => (await fetch(${JSON.stringify(origin)} + each)).status)).then(console.log)`;
  const within = isRoot ? ['nsenter', '--net', '--target', String(service.pid)] : ['env'];
  expect(execFileSync(within[0] ?? '', [...within.slice(1), process.execPath, '-e', read], { encoding: 'utf8' })).toBe(
    '[ 200, 200, 200 ]\n',
  );
  expect(await readdir(path.join(folder, 'empty'))).toEqual([]);
  expect((await readdir(path.join(folder, '.local/share/studytrack'))).sort()).toEqual(['data', 'uploads']);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
}, 300_000);
