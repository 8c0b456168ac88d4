import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A TCP connection to a service, for requests that no library would send. */
export async function openSocket(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined); // callers wait for the end, which a reset causes as well
  await once(socket, 'connect');
  return socket;
}

/** Everything received until the service closes the connection. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  if (!socket.closed) await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

/** Sends exactly these bytes; returns everything received until the service closes the connection. */
export async function exchange(origin: string, bytes: string | Buffer): Promise<string> {
  const socket = await openSocket(origin);
  const received = readToEnd(socket);
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return received;
}

/** The statuses of the responses in the received text. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/(?:^|\r\n|\}|\])HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}
