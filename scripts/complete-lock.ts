import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../src/project-root.ts';

type Package = {
  version?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
};
type Lock = { packages: Record<string, Package> };

const fileIn = (folder: string) => path.join(projectRoot, folder, 'package-lock.json');
const platform =
  /-(android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|x64|ia32|ppc64|riscv64|s390x)(?:-(gnu|musl|msvc|eabi)\w*)?$/;

/** Optional dependencies that are missing in the lock file. */
export function missingPackages({ packages }: Lock): { name: string; version: string; dev: boolean }[] {
  return Object.values(packages).flatMap(({ dev = false, optionalDependencies = {} }) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !Object.keys(packages).some((place) => place.endsWith(`node_modules/${name}`)))
      .map(([name, version]) => ({ name, version, dev })),
  );
}

export async function readLock(folder = '.'): Promise<Lock> {
  return JSON.parse(await readFile(fileIn(folder), 'utf8'));
}

/**
 * `npx tsx scripts/complete-lock.ts` adds the builds for other platforms, which npm omits if a registry mirror lacks them. `npm ci` rejects an
 * incomplete lock file on any platform.
 */
async function completeLock(folder: string): Promise<void> {
  const lock = await readLock(folder);
  for (const { name, version, dev } of missingPackages(lock)) {
    const [, os, cpu, abi] = platform.exec(name) ?? [];
    if (os === undefined || cpu === undefined) throw new Error(`${name}: unknown platform`);
    const libc = os === 'linux' ? { libc: [abi === 'musl' ? 'musl' : 'glibc'] } : {};
    const integrity = execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], {
      encoding: 'utf8',
    }).trim();
    const entry = { version, integrity, cpu: [cpu], ...(dev && { dev }), ...libc, optional: true, os: [os] };
    lock.packages[`node_modules/${name}`] = entry;
  }
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  await writeFile(fileIn(folder), `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
}

if (process.argv[1] === import.meta.filename) for (const folder of ['.', 'tools']) await completeLock(folder);
