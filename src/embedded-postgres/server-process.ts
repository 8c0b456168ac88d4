import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { dataArgument, spawnOptions } from './account.ts';
import type { Cluster } from './cluster.ts';
import { codeOf, textOf } from './error.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

/** From postmaster.pid; `status` is starting, ready or stopping. */
export type ServerProcess = { pid: number; port: number; status: string };

/** `busy`: another server is starting, children of a killed one are exiting, or this one was killed. `broken`: exit code 1. */
export type Launch =
  | { outcome: 'started'; watchdog: Watchdog }
  | { outcome: 'port taken' | 'busy' | 'broken'; reason: string };

const run = promisify(execFile);
const rotateAt = 10 * 1024 * 1024;

/** The server of this cluster, whichever process started it. Moves away a pid file whose pid belongs to another program. */
export async function findServer(cluster: Cluster): Promise<ServerProcess | undefined> {
  const file = path.join(cluster.data, 'postmaster.pid');
  const content = await readIfExists(file);
  if (content === undefined) return undefined;
  if (content === '' && (await isBeingWritten(file))) return undefined;
  const [pid, , , port, , , , status] = content.split('\n');
  if (await isServing(cluster, Number(pid))) {
    return { pid: Number(pid), port: Number(port), status: status?.trim() ?? 'starting' };
  }
  if (isAlive(Number(pid))) await setAsideStalePidFile(file, content);
  return undefined;
}

/** A new pid file is empty for a moment, and must not be moved away then. Older empty files remain after a crash of the machine. */
async function isBeingWritten(file: string): Promise<boolean> {
  const written = await stat(file).catch(() => undefined);
  return written === undefined || Date.now() - written.mtimeMs < 5_000;
}

/** After a crash or reboot, the pid may belong to any other program. */
async function isServing(cluster: Cluster, pid: number): Promise<boolean> {
  if (!(pid > 0)) return false;
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-ww', '-o', 'stat=,args=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
    return !stdout.startsWith('Z') && stdout.includes(`postgres -D ${cluster.data} `);
  }
  try {
    // A server's working directory is its data directory; a zombie has none.
    const [program = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
    if (path.basename(program) !== 'postgres') return false;
    const [actual, expected] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster.data)]);
    return actual.ino === expected.ino && actual.dev === expected.dev;
  } catch (error) {
    // Root in a container may lack CAP_SYS_PTRACE, which the server's account does not need.
    if (codeOf(error) !== 'EACCES' || cluster.account === undefined) return false;
    const options = spawnOptions(cluster.account, cluster.data);
    return run('/bin/sh', ['-c', '[ "/proc/$1/cwd" -ef . ]', 'sh', String(pid)], options).then(
      () => true,
      () => false,
    );
  }
}

/** PostgreSQL replaces a stale pid file only if its pid is not in use, even by a zombie. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Puts the file back if a server has replaced it meanwhile. */
async function setAsideStalePidFile(file: string, expected: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(() => undefined);
  const content = await readIfExists(aside);
  if (content !== undefined && content !== expected) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export async function launchServer(cluster: Cluster, port: number): Promise<Launch> {
  const log = await openLog(cluster.serverLog);
  const before = (await log.stat()).size;
  const child = spawn(
    cluster.binaries.postgres,
    ['-D', dataArgument(cluster.account, cluster.data), '-p', String(port), ...settings(cluster.durable)],
    // In its own process group, so that Ctrl-C reaches the service only.
    { ...spawnOptions(cluster.account, cluster.data), detached: true, stdio: ['ignore', log.fd, log.fd] },
  );
  child.unref();
  const { pid } = child;
  if (pid === undefined) {
    const [error] = await once(child, 'error');
    await log.close();
    return { outcome: 'broken', reason: textOf(error) };
  }
  await log.close();

  const watchdog = startWatchdog(cluster.account, pid);
  while (child.exitCode === null && child.signalCode === null) {
    const content = await readIfExists(path.join(cluster.data, 'postmaster.pid'));
    if (content?.startsWith(`${pid}\n`) === true && content.includes('\nready'))
      return { outcome: 'started', watchdog };
    await delay(10);
  }
  watchdog.release();
  const reason = `${child.signalCode ?? ''} ${await readLogTail(cluster.serverLog, before, pid)}`.trim();
  if (/could not (bind|create any TCP)/.test(reason)) return { outcome: 'port taken', reason };
  const retryable = child.exitCode !== 1 || /lock file|pre-existing shared memory block/.test(reason);
  return { outcome: retryable ? 'busy' : 'broken', reason };
}

function settings(durable: boolean): string[] {
  return [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=', // their path could exceed the limit of the system
    'max_connections=200',
    // Parallel queries share memory through /dev/shm, of which a container has 64 MB.
    'max_parallel_workers_per_gather=0',
    'max_parallel_maintenance_workers=0',
    'client_connection_check_interval=5s', // otherwise backends of killed clients keep waiting for locks
    // Failed statements contain personal data, and the service reports errors itself.
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    // With autovacuum or asynchronous commits, the effect of a VACUUM, and so plans, would depend on timing.
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off', 'autovacuum=off']),
  ].flatMap((setting) => ['-c', setting]);
}

async function openLog(file: string) {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > rotateAt) await rename(file, `${file}.1`);
  return open(file, 'a', 0o600);
}

async function readLogTail(file: string, from: number, pid: number): Promise<string> {
  const lines = (await readFile(file)).subarray(from).toString('utf8').split('\n');
  const own = lines.filter((line) => line.includes(`[${pid}]`));
  return (own.length > 0 ? own : lines).slice(-6).join('\n').trim();
}

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export async function findLastPort(cluster: Cluster): Promise<number | undefined> {
  const command = await readIfExists(path.join(cluster.data, 'postmaster.opts'));
  const port = /"-p" "(\d+)"/.exec(command ?? '')?.[1];
  return port === undefined ? undefined : Number(port);
}

/** Fast shutdown; resolves when the process has exited. */
export async function shutDown(cluster: Cluster, pid: number): Promise<void> {
  if (await isServing(cluster, pid)) process.kill(pid, 'SIGINT');
  while (await isServing(cluster, pid)) await delay(20);
}
