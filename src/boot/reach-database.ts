import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { hostOf } from '../lib/network/address.ts';
import { printError, StartError } from './start-error.ts';

const probeTimeout = 2_000; // ms

/** Waits for a database that is starting. Throws StartError after the timeout, or immediately for a permanent error. */
export async function waitForDatabase<T>(read: () => Promise<T>, url: string, timeoutSeconds: number): Promise<T> {
  const { host } = new URL(url);
  const deadline = Date.now() + timeoutSeconds * 1000;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const reason = cause instanceof Error ? cause.message || codeOf(cause) : String(cause);
      if (isFinal(codeOf(cause))) throw new StartError(`DATABASE_URL: cannot connect to ${host}: ${reason}`);
      if (codeOf(cause) !== 'ECONNREFUSED' && (await speaksAnotherProtocol(url)))
        throw new StartError(`DATABASE_URL: the server at ${host} is not PostgreSQL; check host and port`);
      if (Date.now() >= deadline)
        throw new StartError(`DATABASE_URL: no database at ${host} after ${timeoutSeconds} seconds: ${reason}`);
      if (attempt % 3 === 0) printError(`Waiting for the database at ${host}: ${reason}`);
      await delay(1000);
    }
  }
}

function isFinal(code: string): boolean {
  return code === 'ENOTFOUND' || code === '3D000' || code.startsWith('28');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Sends an SSLRequest, to which PostgreSQL replies with S, N or an error (E…). */
async function speaksAnotherProtocol(url: string): Promise<boolean> {
  const server = new URL(url);
  if (server.hostname === '') return false; // a Unix socket
  const socket = connect({ host: hostOf(server), port: Number(server.port || 5432), timeout: probeTimeout });
  try {
    await once(socket, 'connect');
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    const reply = await Promise.race([
      once(socket, 'data').then(([bytes]: Buffer[]) => bytes?.toString('latin1') ?? ''),
      once(socket, 'timeout').then(() => ''),
      once(socket, 'close').then(() => ''),
    ]);
    return reply !== '' && !/^(S|N|E.*)$/s.test(reply);
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
