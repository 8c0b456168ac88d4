import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { findFreePort } from '../../../src/embedded-postgres/server-process.ts';

/** Debian has it as redis-server. */
export const hasRedis = spawnSync('redis-server', ['--version']).error === undefined;

/** A Redis of the test's own that keeps nothing on disk, for as long as the test lasts. */
export async function startRedis({ host = '127.0.0.1', port }: { host?: string; port?: number } = {}) {
  const at = port ?? (await findFreePort());
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const words = ['--port', String(at), '--bind', host, '--save', '', '--protected-mode', 'no', '--dir', os.tmpdir()];
    server = spawn('redis-server', words, { stdio: 'ignore' });
    while (!(await accepts(host, at))) await delay(20);
  }
  async function kill(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }

  onTestFinished(kill);
  await start();
  return {
    url: `redis://${host}:${at}`,
    start,
    kill,
    /** Connections stay open, and nothing is answered. */
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
