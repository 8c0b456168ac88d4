import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy to the database whose connections a test can close or block, as a network failure does. */
export async function startTcpProxy(targetUrl: string, listenAt = 0) {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let holding = false;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => holding || to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(listenAt, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  const url = new URL(targetUrl);
  url.host = `127.0.0.1:${port}`;

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    port,
    cut,
    /** Data is discarded; connections stay open. */
    hold: () => {
      holding = true;
    },
    release: () => {
      holding = false;
    },
    stop: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
