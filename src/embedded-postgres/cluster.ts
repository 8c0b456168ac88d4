import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { makeFolder } from '../lib/folders.ts';
import {
  dataArgument,
  EmbeddedPostgresError,
  findPrograms,
  findServerAccount,
  type Programs,
  type ServerAccount,
  spawnOptions,
  textOf,
  useDatabaseUrl,
} from './programs.ts';

export const role = 'studytrack';

export type Cluster = {
  data: string;
  serverLog: string;
  password: string;
  account: ServerAccount;
  programs: Programs;
  durable: boolean;
};

/** Finds or creates the cluster in `<dataDir>/postgres`; safe with concurrent processes. Throws EmbeddedPostgresError. */
export async function prepareCluster(
  dataDir: string,
  durable: boolean,
  log: (message: string) => void,
): Promise<Cluster> {
  const home = path.join(dataDir, 'postgres');
  const data = path.join(home, 'data');
  await makePrivate(dataDir);
  const account = await findServerAccount(data);
  const programs = await findPrograms(account, dataDir, log);
  if (!existsSync(path.join(data, 'PG_VERSION'))) {
    log(`creating a PostgreSQL ${programs.major} cluster in ${home}`);
    await initialise(home, account, programs, durable);
  }
  await removeDrafts(home);
  const found = Number((await readFile(path.join(data, 'PG_VERSION'), 'utf8')).trim());
  if (found !== programs.major) throw wrongMajor(home, found, programs.major);
  const password = (await readFile(path.join(home, 'password'), 'utf8')).trim();
  return { data, serverLog: path.join(home, 'server.log'), password, account, programs, durable };
}

async function makePrivate(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir, 0o700);
    await chmod(dataDir, 0o700);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `${dataDir} cannot be set to mode 0700 (${textOf(error)}). Start the service as its owner, or set DATA_DIR to another folder.`,
    );
  }
}

/** Runs initdb in a draft folder, which is renamed when it is complete. */
async function initialise(home: string, account: ServerAccount, programs: Programs, durable: boolean): Promise<void> {
  const draft = await mkdtemp(`${home}.draft-`);
  try {
    const data = path.join(draft, 'data');
    const password = path.join(draft, 'password');
    await mkdir(data, { mode: 0o700 });
    await writeFile(password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true });
    if (account !== undefined)
      await Promise.all([data, password].map((entry) => chown(entry, account.uid, account.gid)));
    await runInitdb(data, password, account, programs, durable);
    await rename(draft, home);
    if (durable) await syncFolder(path.dirname(home));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (existsSync(path.join(home, 'data/PG_VERSION'))) return; // another process was faster; its cluster is used
    throw new EmbeddedPostgresError(
      `The database cluster could not be created in ${home} (${textOf(error)}). ${useDatabaseUrl}`,
    );
  }
}

async function runInitdb(
  data: string,
  passwordFile: string,
  account: ServerAccount,
  programs: Programs,
  durable: boolean,
): Promise<void> {
  const options = [
    `--pgdata=${dataArgument(account, data)}`,
    `--username=${role}`,
    '--pwfile=/dev/stdin', // a descriptor, because the server's account may have no access to the path
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    // With lc_ctype C, pg_trgm treats Chinese as punctuation.
    `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  const password = await open(passwordFile);
  const child = spawn(programs.initdb, options, {
    ...spawnOptions(account, data),
    stdio: [password.fd, 'ignore', 'pipe'],
  });
  const output = child.stderr === null ? '' : text(child.stderr);
  const [stderr, [status]] = await Promise.all([output, once(child, 'close')]).finally(() => password.close());
  if (status !== 0) throw new Error(`initdb failed: ${stderr.trim()}`);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** When a cluster exists, drafts are left over from interrupted or slower processes. */
async function removeDrafts(home: string): Promise<void> {
  const parent = path.dirname(home);
  const drafts = (await readdir(parent)).filter((name) => name.startsWith(`${path.basename(home)}.draft-`));
  // May fail while initdb is writing there; that process cleans up.
  await Promise.allSettled(drafts.map((name) => rm(path.join(parent, name), { recursive: true, force: true })));
}

function wrongMajor(home: string, found: number, bundled: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    [
      `${home} contains a PostgreSQL ${found} cluster, but this version of the service includes PostgreSQL ${bundled}.`,
      `To keep the data: dump it with pg_dump while a PostgreSQL ${found} server runs on it (the previous version of the service starts one),`,
      `move the folder away, start this version once, and load the dump with psql. ${useDatabaseUrl}`,
    ].join(' '),
  );
}

export function serverSettings(durable: boolean): string[] {
  return [
    'listen_addresses=127.0.0.1',
    // An absolute path could exceed the limit of the system. This one is in the data folder.
    `unix_socket_directories=${durable ? '' : '.'}`,
    'max_connections=200',
    // Parallel queries share memory through /dev/shm, of which a container has 64 MB.
    'max_parallel_workers_per_gather=0',
    'max_parallel_maintenance_workers=0',
    'client_connection_check_interval=5s', // otherwise backends of killed clients keep waiting for locks
    // Failed statements contain personal data, and the service reports errors itself.
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    // With autovacuum or asynchronous commits, the effect of a VACUUM, and so plans, would depend on timing.
    // A statement runs a few times in a database that is thrown away: planning it each time would take longer than running it.
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'plan_cache_mode=force_generic_plan']),
  ].flatMap((setting) => ['-c', setting]);
}
