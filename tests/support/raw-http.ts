import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection to a service, over which a test says what no library would. */
export async function openSocket(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined); // a reset also ends the socket, which is what callers wait for
  await once(socket, 'connect');
  return socket;
}

/** All that comes until the service closes the connection. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  if (!socket.closed) await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

/** Sends these bytes and nothing more; all that is answered before the service closes the connection. */
export async function exchange(origin: string, bytes: string | Buffer): Promise<string> {
  const socket = await openSocket(origin);
  const answer = readToEnd(socket);
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return answer;
}

/** The statuses of the answers in what came over a connection. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/(?:^|\r\n|\}|\])HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}
