import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Cluster, serverSettings } from './cluster.ts';
import { codeOf, dataArgument, spawnOptions } from './programs.ts';

const run = promisify(execFile);
const ignore = () => undefined;

/** `status` is starting, ready or stopping. */
export type Server = { pid: number; port: number; status: string };

/** The server that the pid file names. Moves away a pid file that would keep PostgreSQL from starting after a crash. */
export async function findServer(cluster: Cluster): Promise<Server | undefined> {
  const file = path.join(cluster.data, 'postmaster.pid');
  const content = await readIfExists(file);
  if (content === undefined) return undefined;
  const [pid, , , port, , , , status] = content.split('\n');
  if (await isPostgres(Number(pid))) {
    return { pid: Number(pid), port: Number(port), status: status?.trim() || 'starting' };
  }
  // A starting server leaves it empty for a moment; of a process that is not PostgreSQL, the pid was assigned again.
  const stale = content === '' ? Date.now() - (await modifiedAt(file)) > 5_000 : isAlive(Number(pid));
  if (stale) await setAside(file, content);
  return undefined;
}

/** False for a zombie. */
async function isPostgres(pid: number): Promise<boolean> {
  if (!(pid > 0)) return false;
  const program =
    process.platform === 'linux'
      ? (await readIfExists(`/proc/${pid}/cmdline`))?.split('\0')[0]
      : (await run('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }))).stdout.trim();
  return path.basename(program ?? '') === 'postgres';
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Puts the file back if a server has replaced it meanwhile. */
async function setAside(file: string, expected: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(ignore);
  const content = await readIfExists(aside);
  if (content !== undefined && content !== expected) await link(aside, file).catch(ignore);
  await rm(aside, { force: true });
}

async function readIfExists(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ESRCH'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  });
}

const modifiedAt = async (file: string) => (await stat(file).catch(ignore))?.mtimeMs ?? Date.now();

export type Launched = { child: ChildProcess; logStart: number };

export async function launch(cluster: Cluster, port: number): Promise<Launched> {
  const { account, data, serverLog } = cluster;
  const size = await stat(serverLog).then(
    (found) => found.size,
    () => 0,
  );
  if (size > 10 * 1024 * 1024) await rename(serverLog, `${serverLog}.1`);
  const log = await open(serverLog, 'a', 0o600);
  try {
    const logStart = (await log.stat()).size;
    const child = spawn(
      cluster.programs.postgres,
      ['-D', dataArgument(account, data), '-p', String(port), ...serverSettings(cluster.durable)],
      // In its own process group, so that Ctrl-C reaches the service only.
      { ...spawnOptions(account, data), detached: true, stdio: ['ignore', log.fd, log.fd] },
    );
    child.on('error', ignore); // reported when nothing answers
    child.unref();
    return { child, logStart };
  } finally {
    await log.close();
  }
}

export async function readLogTail({ serverLog }: Cluster, { child, logStart }: Launched): Promise<string> {
  const lines = (await readFile(serverLog)).subarray(logStart).toString('utf8').split('\n');
  const own = lines.filter((line) => line.includes(`[${child.pid}]`));
  return `${child.signalCode ?? ''} ${(own.length > 0 ? own : lines).slice(-6).join('\n')}`.trim();
}

export async function findLastPort(cluster: Cluster): Promise<number | undefined> {
  const command = await readIfExists(path.join(cluster.data, 'postmaster.opts'));
  const port = /"-p" "(\d+)"/.exec(command ?? '')?.[1];
  return port === undefined ? undefined : Number(port);
}

export async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Fast shutdown. */
export async function shutDown(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT');
  while (await isPostgres(pid)) await delay(20);
}
