import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { findServerAccount, spawnOptions } from '../../src/embedded-postgres/programs.ts';
import { findFreePort } from '../../src/embedded-postgres/server.ts';
import { startS3Server } from '../support/servers/s3-server.ts';
import { temporaryFolder } from '../support/service-process.ts';
import { blockOfGuide } from './configuration.ts';
import { missingPrograms, testThatNeeds } from './programs.ts';

/** The binaries of a PostgreSQL version that Debian's pgBackRest supports. */
const binaries = ['/usr/lib/postgresql/15/bin', '/usr/lib/postgresql/16/bin', '/usr/lib/postgresql/17/bin'].find(
  (folder) => existsSync(path.join(folder, 'postgres')),
);
const missing = [
  ...(binaries === undefined ? ['PostgreSQL 15 to 17'] : []),
  ...missingPrograms(['pgbackrest', 'openssl'], 'version'),
];

/** A recovery test; skipped if the machine lacks a program. */
export const recoveryTest = testThatNeeds(missing);

/** A PostgreSQL that archives as docs/operations.md describes, into the test's own S3-compatible store. */
export async function startArchivedPostgres() {
  const folder = await temporaryFolder();
  await chmod(folder, 0o755);
  const data = path.join(folder, 'data');
  const account = await findServerAccount(data);
  const port = await findFreePort();
  const configuration = path.join(folder, 'pgbackrest.conf');
  const inFolder = (name: string) => path.join(folder, name);
  for (const name of ['data', 'log', 'lock', 'spool']) {
    await mkdir(inFolder(name), { mode: 0o700 });
    if (account !== undefined) await chown(inFolder(name), account.uid, account.gid);
  }
  const run = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, args, {
      ...spawnOptions(account, folder),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const server = (program: string, ...args: readonly string[]) =>
    run(path.join(binaries ?? '', program), '-D', data, ...args);
  const pgbackrest = (...args: readonly string[]) =>
    run('pgbackrest', `--config=${configuration}`, '--stanza=studytrack', ...args);

  const store = await startS3Server('backups', certificate(folder));
  onTestFinished(store.stop);
  const guide = (await blockOfGuide('ini'))
    .replace('s3.example.org', '127.0.0.1')
    .replace('ACCESS_KEY', store.accessKey)
    .replace('SECRET_KEY', store.secret)
    .replace('/var/lib/postgresql/15/main', data);
  const overrides = [
    `repo1-storage-host=127.0.0.1\nrepo1-storage-port=${store.port}\nrepo1-storage-verify-tls=n`,
    `log-path=${inFolder('log')}\nlock-path=${inFolder('lock')}\nspool-path=${inFolder('spool')}`,
  ];
  await writeFile(
    configuration,
    `${guide.replace('[global]', `[global]\n${overrides.join('\n')}`)}pg1-port=${port}\npg1-socket-path=${inFolder('lock')}\npg1-user=studytrack\n`,
  );

  server('initdb', '--auth=trust', '--username=studytrack', '--encoding=UTF8', '--locale=C', '--no-sync');
  const archiving = (await blockOfGuide('properties')).replace('pgbackrest ', `pgbackrest --config=${configuration} `);
  const own = `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${inFolder('lock')}'\nfsync = off`;
  await writeFile(path.join(data, 'postgresql.auto.conf'), `${archiving}${own}\n`);

  const start = () => server('pg_ctl', '--wait', '--timeout=120', `--log=${inFolder('log')}/postgresql.log`, 'start');
  const stop = () => server('pg_ctl', '--wait', '--mode=fast', 'stop');
  start();
  onTestFinished(() => {
    if (existsSync(path.join(data, 'postmaster.pid'))) stop();
  });
  run(path.join(binaries ?? '', 'createdb'), '-h', '127.0.0.1', '-p', String(port), '-U', 'studytrack', 'studytrack');
  return { url: `postgres://studytrack@127.0.0.1:${port}/studytrack`, start, stop, pgbackrest };
}

function certificate(folder: string): { key: string; cert: string } {
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const files = ['-keyout', key, '-out', cert, '-subj', '/CN=127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...files], { stdio: 'ignore' });
  return { key, cert };
}
