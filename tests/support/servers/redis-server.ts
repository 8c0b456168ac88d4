import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { findFreePort } from '../../../src/embedded-postgres/server.ts';

/** Debian's package is redis-server. */
export const hasRedis = spawnSync('redis-server', ['--version']).error === undefined;

/** A Redis server for one test, without persistence. */
export async function startRedis({ host = '127.0.0.1', port }: { host?: string; port?: number } = {}) {
  const at = port ?? (await findFreePort());
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const args = ['--port', String(at), '--bind', host, '--save', '', '--protected-mode', 'no', '--dir', os.tmpdir()];
    server = spawn('redis-server', args, { stdio: 'ignore' });
    while (!(await accepts(host, at))) await delay(20);
  }
  async function kill(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  }

  onTestFinished(kill);
  await start();
  return {
    url: `redis://${host}:${at}`,
    start,
    kill,
    /** Connections stay open, but the server does not respond. */
    freeze: () => server?.kill('SIGSTOP'),
    resume: () => server?.kill('SIGCONT'),
  };
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
