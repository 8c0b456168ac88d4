import { chmod, chown, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { findServerAccount } from '../../src/embedded-postgres/programs.ts';
import { loadSettings } from '../support/load.ts';
import { startRedis } from '../support/servers/redis-server.ts';
import { startS3Server } from '../support/servers/s3-server.ts';
import { startServiceProcess, temporaryFolder } from '../support/service-process.ts';
import { configuration } from './configuration.ts';
import { databaseMachines, queryOnce, startDatabases } from './databases.ts';
import { createNetwork, type Network } from './network.ts';
import { startProgram } from './programs.ts';

const secret = 'what all processes of the cluster sign their tokens with';
const role = { user: 'studytrack', password: 'secret-of-studytrack', database: 'studytrack' };

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/**
 * The cluster that docs/scaling.md describes: nginx in front of three machines with the service, PgBouncer and HAProxy each,
 * behind them three machines with PostgreSQL, Patroni and etcd; Redis and a bucket.
 */
export async function startCluster(extraSettings: NodeJS.ProcessEnv = {}) {
  const network = createNetwork(databaseMachines);
  const at = (address: number) => `${network.prefix}.${address}`;
  const [databases, redis, bucket] = await Promise.all([
    startDatabases(network),
    startRedis({ host: at(2), port: 6379 }),
    startBucket(),
  ]);
  const primary = await databases.primary();
  const statements = (await configuration('role.sql', [])).replaceAll(/^--.*\n/gm, '').trim();
  for (const statement of statements.split('\n')) await primary.query(statement, 'postgres');

  const settings = {
    ...loadSettings,
    JWT_SECRET: secret,
    TRUST_PROXY: '1',
    REDIS_URL: redis.url,
    STORAGE_URL: `s3+http://${bucket.accessKey}:${bucket.secret}@127.0.0.1:${bucket.port}/pictures`,
    ...extraSettings,
  };
  const machines = await Promise.all([11, 12, 13].map((address) => startMachine(network, address, settings)));
  const nginx = await startNginx(network);
  return {
    origin: nginx.origin,
    nginx: nginx.program,
    machines,
    databases,
    redis,
    cable: network.cable,
    /** Runs a statement on the current primary. */
    query: <Row extends object>(text: string) =>
      queryOnce<Row>({ host: at(11), port: 5000, database: role.database }, text, 120_000),
  };
}

async function startBucket() {
  const bucket = await startS3Server('pictures');
  onTestFinished(bucket.stop);
  return bucket;
}

/** The service with its own PgBouncer and HAProxy. */
async function startMachine(network: Network, address: number, settings: NodeJS.ProcessEnv) {
  const folder = await temporaryFolder();
  const host = `${network.prefix}.${address}`;
  const inNetwork = ['10.0.0.', `${network.prefix}.`] as const;
  const haproxyFile = path.join(folder, 'haproxy.cfg');
  await writeFile(
    haproxyFile,
    await configuration('haproxy.cfg', [['bind 10.0.0.11', `bind 10.0.0.${address}`], inNetwork]),
  );
  const bouncerFile = path.join(folder, 'pgbouncer.ini');
  const users = path.join(folder, 'users');
  await writeFile(users, `"${role.user}" "${role.password}"\n`);
  await writeFile(
    bouncerFile,
    await configuration('pgbouncer.ini', [
      ['10.0.0.11', host],
      ['6432', '6432\nunix_socket_dir ='],
      ['/etc/pgbouncer/userlist.txt', users],
    ]),
  );
  const account = await findServerAccount(folder); // like PostgreSQL, PgBouncer refuses to run as root
  if (account !== undefined) await chown(folder, account.uid, account.gid);
  const haproxy = startProgram(['haproxy', '-db', '-f', haproxyFile], { log: path.join(folder, 'haproxy.log') });
  const pgbouncer = startProgram(['pgbouncer', bouncerFile], { log: path.join(folder, 'pgbouncer.log'), account });

  const start = () =>
    startServiceProcess(folder, {
      ...settings,
      HOST: host,
      PORT: '3000',
      SHUTDOWN_TIMEOUT: '60', // as long as a response may take while all servers share the processors
      DATABASE_URL: `postgres://${role.user}:${role.password}@${host}:6432/${role.database}?prepare=false`,
    });
  let service = await start();
  return {
    origin: `http://${host}:3000`,
    haproxy,
    pgbouncer,
    written: () => service.written.stdout,
    async end(signal: NodeJS.Signals): Promise<number | null> {
      service.kill(signal);
      return service.ended;
    },
    async start(): Promise<void> {
      service = await start();
    },
  };
}

async function startNginx(network: Network) {
  const folder = await temporaryFolder();
  await chmod(folder, 0o755);
  const site = await configuration('nginx.conf', [
    ['listen 80', `listen ${network.prefix}.1:8080`],
    ['rate=50r/s', 'rate=5000r/s'], // all load comes from a few addresses
    ['10.0.0.', `${network.prefix}.`],
  ]);
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = path.join(folder, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(
    file,
    `${user} daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
     http { access_log off; ${temporaryPaths.join(' ')}\n${site}}`,
  );
  const command = ['nginx', '-e', path.join(folder, 'error.log'), '-p', folder, '-c', file];
  const program = startProgram(command, { log: path.join(folder, 'nginx.log'), stopSignal: 'SIGTERM' }); // SIGKILL would leave its workers
  const origin = `http://${network.prefix}.1:8080`;
  await expect
    .poll(() =>
      fetch(`${origin}/healthz`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  return { origin, program };
}
