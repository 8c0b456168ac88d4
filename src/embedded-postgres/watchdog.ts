import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { type ServerAccount, spawnOptions } from './account.ts';

export type Watchdog = { release(): void };

/** Stops the server even after SIGKILL: a shell reads from a pipe that closes with this process. `release` ends the shell only. */
export function startWatchdog(account: ServerAccount, serverPid: number): Watchdog {
  const shell = spawn('/bin/sh', ['-c', 'read -r line || kill -INT "$1"', 'watchdog', String(serverPid)], {
    ...spawnOptions(account, '/'),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', () => undefined); // without a shell, the next start joins the server
  shell.stdin.on('error', () => undefined);
  shell.unref();
  // Boundary: the pipe is a socket, which must not keep this process alive.
  const pipe: unknown = shell.stdin;
  if (pipe instanceof Socket) pipe.unref();
  return { release: () => shell.stdin.end('released\n') };
}
