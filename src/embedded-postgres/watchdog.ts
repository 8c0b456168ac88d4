import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { type ServerAccount, spawnOptions } from './account.ts';

export type Watchdog = { release(): void };

/**
 * Stops the server when this process ends in any way, kill -9 included: a shell reads from a pipe that the system closes
 * with this process. `release` ends the shell without stopping the server.
 */
export function startWatchdog(account: ServerAccount, serverPid: number): Watchdog {
  const shell = spawn('/bin/sh', ['-c', 'read -r line || kill -INT "$1"', 'watchdog', String(serverPid)], {
    ...spawnOptions(account, '/'),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', () => undefined); // no shell on this system: the next start finds and joins the server
  shell.stdin.on('error', () => undefined);
  shell.unref();
  // Boundary: the pipe of a child is a socket; it must not keep this process alive.
  const pipe: unknown = shell.stdin;
  if (pipe instanceof Socket) pipe.unref();
  return { release: () => shell.stdin.end('released\n') };
}
