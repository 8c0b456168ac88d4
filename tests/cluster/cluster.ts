import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../src/embedded-postgres/server-process.ts';
import { projectRoot } from '../../src/lib/project-root.ts';
import { loadSettings } from '../support/load.ts';
import { addStandby, type Postgres, startPostgres } from '../support/own-postgres.ts';
import { startS3Server } from '../support/s3-server.ts';
import { startServiceProcess, temporaryFolder } from '../support/service-process.ts';

const secret = 'what all the processes of a cluster sign their tokens with';
const surroundings = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

/** All other programs are brought by this project. Debian has these as nginx-light and pgbouncer. */
const missing = ['nginx', 'pgbouncer'].filter(
  (program) => spawnSync(program, ['-V'], { env: surroundings }).error !== undefined,
);

/** A test of a cluster; on a machine that lacks a program it is skipped, and its name says why. */
export function clusterTest(name: string, run: () => Promise<void>): void {
  if (missing.length === 0) test(name, run);
  else test.skip(`${name} (skipped: this machine has no ${missing.join(' and no ')})`, run);
}

/** The block of that language in the guide which operators copy. */
async function blockOfGuide(language: string): Promise<string> {
  const guide = await readFile(path.join(projectRoot, 'docs/scaling.md'), 'utf8');
  const [, block] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide) ?? [];
  if (block === undefined) throw new Error(`docs/scaling.md shows no ${language}`);
  return block;
}

/** The text with those parts of it replaced; each must be there. */
function adapt(text: string, changes: readonly (readonly [string | RegExp, string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    const next = changed.replace(from, to);
    if (next === changed) throw new Error(`docs/scaling.md: no ${from} in\n${text}`);
    return next;
  }, text);
}

/**
 * The whole of it, as the guide describes it: nginx in front of three services, which share a bucket and reach, through
 * PgBouncer, a PostgreSQL whose commits a second one has confirmed.
 */
export async function startCluster() {
  const primary = await startPostgres();
  for (const statement of (await blockOfGuide('sql')).trim().split('\n')) await primary.query(statement);
  const standby = await addStandby(primary);
  const bouncer = await startPgBouncer(primary);
  const bucket = await startS3Server('pictures');
  onTestFinished(bucket.stop);

  const settings = {
    ...loadSettings,
    DATABASE_URL: bouncer.url,
    JWT_SECRET: secret,
    TRUST_PROXY: '1',
    STORAGE_URL: `s3+http://${bucket.accessKey}:${bucket.secret}@127.0.0.1:${bucket.port}/pictures`,
  };
  const services = await Promise.all([1, 2, 3].map(async () => startServiceProcess(await temporaryFolder(), settings)));
  const origin = await startNginx(services.map((service) => new URL(service.origin).host));
  return { origin, services, primary, standby, bouncer };
}

async function startPgBouncer(primary: Postgres) {
  const folder = await temporaryFolder();
  const port = await findFreePort();
  const { username, password, pathname } = new URL(primary.url);
  const file = path.join(folder, 'pgbouncer.ini');
  const point = async (to: Postgres) =>
    writeFile(
      file,
      adapt(await blockOfGuide('ini'), [
        ['host=10.0.0.20 port=5432', `host=127.0.0.1 port=${new URL(to.url).port}`],
        ['10.0.0.30', '127.0.0.1'],
        ['6432', `${port}\nunix_socket_dir =`],
        ['/etc/pgbouncer/userlist.txt', path.join(folder, 'users')],
      ]),
    );
  await writeFile(path.join(folder, 'users'), `"${username}" "${password}"\n`);
  await point(primary);
  const { account } = primary.cluster; // like PostgreSQL it refuses to run as root
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  const program = start('pgbouncer', ['-q', file], { ...account });
  const url = `postgres://${username}:${password}@127.0.0.1:${port}${pathname}?prepare=false`;
  return {
    url,
    /** From now on everything goes to that server. */
    repoint: async (to: Postgres) => {
      await point(to);
      program.kill('SIGHUP');
    },
  };
}

async function startNginx(hosts: readonly string[]): Promise<string> {
  const folder = await temporaryFolder();
  await chmod(folder, 0o755);
  const port = await findFreePort();
  const site = adapt(await blockOfGuide('nginx'), [
    [/server 10\.0\.0\.11:3000/, hosts.map((host) => `server ${host}`).join(' max_fails=2 fail_timeout=5s;\n  ')],
    [/ {2}server 10\.0\.0\.12:3000.*\n/, ''],
    ['listen 80', `listen 127.0.0.1:${port}`],
    ['rate=50r/s', 'rate=5000r/s'], // here a few addresses are the whole world
  ]);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${folder}/${what};`,
  );
  const file = path.join(folder, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(
    file,
    `${user} daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
     http { access_log off; ${places.join(' ')}\n${site}}`,
  );
  start('nginx', ['-e', path.join(folder, 'error.log'), '-p', folder, '-c', file], {});
  const origin = `http://127.0.0.1:${port}`;
  await expect
    .poll(() =>
      fetch(`${origin}/healthz`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  return origin;
}

function start(program: string, words: readonly string[], account: { uid?: number; gid?: number }) {
  const child = spawn(program, words, { ...account, env: surroundings, stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  });
  return child;
}
