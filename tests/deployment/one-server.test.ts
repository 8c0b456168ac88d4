import { execFileSync, spawnSync } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { settingsSchema } from '../../src/config/settings.ts';
import { projectRoot } from '../../src/project-root.ts';
import { createTestDatabase } from '../support/database.ts';
import { studytrack, temporaryFolder } from '../support/service-process.ts';

const read = (file: string) => readFile(path.join(projectRoot, 'docs', file), 'utf8');
const oneServer = await read('one-server.md');
const documents = [oneServer, await read('operations.md'), await read('settings.md')].join('\n');
const isInstalled = (program: string) => spawnSync(program, ['--version']).error === undefined;

/** The code block after a heading that contains a text. */
function blockWith(text: string): string {
  const blocks = [...oneServer.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const block = blocks.find((candidate) => candidate.includes(text));
  if (block === undefined) throw new Error(`no block has ${text}`);
  return block;
}

test('the settings are written once, and the service accepts them', async () => {
  const folder = await temporaryFolder();
  const script = blockWith('openssl rand -base64 48')
    .replaceAll('/etc/studytrack', folder)
    .replace('-g studytrack ', '');
  const write = () => execFileSync('sh', ['-e', '-c', script]);
  const secrets = async () => [
    await readFile(path.join(folder, 'jwt-secret')),
    await readFile(path.join(folder, 'env')),
  ];
  write();
  const first = await secrets();
  write();
  expect(await secrets()).toEqual(first);
  expect((await stat(path.join(folder, 'jwt-secret'))).mode & 0o777).toBe(0o640);

  const db = await createTestDatabase();
  onTestFinished(db.drop);
  const environment = parseEnv(await readFile(path.join(folder, 'env'), 'utf8'));
  const ofShell = execFileSync('sh', ['-c', 'set -a; . "$0/env"; env', folder], { encoding: 'utf8', env: {} });
  expect(parseEnv(ofShell)).toMatchObject(environment);
  expect(readConfig({ ...environment, JWT_SECRET: String(first[0]) })).toMatchObject({ backups: { keep: 14 } });
  const here = { DATABASE_URL: db.url, BACKUP_TO: path.join(folder, 'backups') };
  const files = {
    JWT_SECRET_FILE: path.join(folder, 'jwt-secret'),
    METRICS_TOKEN_FILE: path.join(folder, 'metrics-token'),
  };
  const { stdout, stderr } = await studytrack(['doctor'], { ...environment, ...files, ...here });
  expect(stderr).toBe('');
  expect(stdout.match(/^PROBLEM.*$/gm)).toEqual([
    expect.stringContaining('backups: There is none yet. Start the service'),
  ]);
});

test('the unit names existing settings and the program of the build', () => {
  const unit = blockWith('[Service]');
  const names = [...unit.matchAll(/([A-Z_]+)=(?:%d|\/var)/g)].map(([, name = '']) => name.replace(/_FILE$/, ''));
  expect(names).toEqual(['JWT_SECRET', 'METRICS_TOKEN', 'DATA_DIR', 'UPLOADS_DIR']);
  expect(names.filter((name) => !(name in settingsSchema.shape))).toEqual([]);
  expect(unit).toContain('/opt/studytrack/dist/src/server.js');
});

test.skipIf(!isInstalled('systemd-analyze'))('systemd accepts the unit', async () => {
  const file = path.join(await temporaryFolder(), 'studytrack.service');
  await writeFile(file, blockWith('[Service]').replace('ExecStart=node', `ExecStart=${process.execPath}`));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  expect([status, stderr.split('\n').filter((line) => line.includes(file))]).toEqual([0, []]);
});

test.skipIf(!isInstalled('nginx'))('nginx accepts the configuration', async () => {
  const folder = await temporaryFolder();
  const [key, cert, file] = ['key.pem', 'cert.pem', 'nginx.conf'].map((name) => path.join(folder, name));
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      '/CN=study.example.org',
      '-keyout',
      key,
      '-out',
      cert,
    ].map(String),
    { stdio: 'ignore' },
  );
  const server = blockWith('proxy_pass')
    .replace(/(ssl_certificate) .*;/, `$1 ${cert};`)
    .replace(/(ssl_certificate_key) .*;/, `$1 ${key};`)
    .replaceAll(/listen (443|80)/g, (_all, port) => `listen 127.0.0.1:${Number(port) + 20_000}`);
  await writeFile(String(file), `pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${server} }`);
  const { status, stderr } = spawnSync('nginx', ['-t', '-c', String(file)], { encoding: 'utf8' });
  expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining('test is successful') });
  expect(stderr).not.toContain('[warn]');
});

test('every command and option that the documents name exists', async () => {
  const used = new Map<string, Set<string>>();
  for (const [, name = '', rest = ''] of documents.matchAll(
    /(?:`|^)(?:docker compose exec api |\w+=\S+ )?(?:studytrack|npm run|npm run studytrack|node dist\/src\/cli\/main\.js) ([a-z]+(?::[a-z]+)?)((?: [^`\n]*)?)/gm,
  )) {
    const options = used.get(name) ?? new Set();
    for (const [option] of rest.matchAll(/--[a-z][a-z-]*/g)) options.add(option);
    used.set(name, options);
  }
  for (const name of ['build', 'start', 'studytrack']) used.delete(name); // scripts, and what they start
  expect([...used.keys()].sort()).toEqual(
    expect.arrayContaining(['admin:create', 'admin:reset', 'backup', 'doctor', 'migrate', 'restore', 'uploads:prune']),
  );
  for (const [name, options] of used) {
    const { code, stdout, stderr } = await studytrack([name, '--help']);
    expect([name, code, stderr]).toEqual([name, 0, '']);
    expect([name, [...options].filter((option) => !stdout.includes(option))]).toEqual([name, []]);
  }
});

test('every setting that the documents name exists', () => {
  const named = [...documents.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
  const settings = Object.keys(settingsSchema.shape).flatMap((name) => [name, `${name}_FILE`]);
  const others = ['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR', 'NODE_EXTRA_CA_CERTS', 'POSTGRES_PASSWORD'];
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !settings.includes(name) && !others.includes(name))).toEqual([]);
});
