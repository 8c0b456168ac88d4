import { once } from 'node:events';
import { createServer, IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../lib/operator-error.ts';
import type { App } from './app.ts';

// Milliseconds.
const defaultTimeouts = {
  headersTimeout: 15_000,
  // A cover image of 5 MB over a slow connection
  requestTimeout: 120_000,
  // Load balancers, which close idle connections after 60 s, must close first.
  keepAliveTimeout: 65_000,
  // Clients that do not read the response
  socketTimeout: 90_000,
  connectionsCheckingInterval: 5_000,
};
// A client may be sending a request on an idle connection, so it is not closed immediately. Longer than the second after which nginx
// closes idle connections (docs/cluster/nginx.conf), which would return 502 for such a request.
const idleCheckInterval = 2_000;

export type HttpServer = {
  origin: string;
  /** Waits for open requests, then closes all connections; after the timeout it closes busy ones, too. */
  drain(milliseconds: number): Promise<void>;
};

export async function startHttpServer(
  app: App,
  { host, port }: Pick<Config, 'host' | 'port'>,
  { socketTimeout, ...limits } = defaultTimeouts,
): Promise<HttpServer> {
  const server = createServer({ ...limits, ...expressPrototypes(app) });
  const unreadCheck = closeUnread(server, socketTimeout, limits.connectionsCheckingInterval);
  // By connection: V8 keeps the entries of tables that one Set of all responses has outgrown until the next full garbage collection.
  const open = new Map<Socket, ServerResponse[]>();
  let draining = false;

  server.on('connection', (socket: Socket) => {
    const responses: ServerResponse[] = [];
    open.set(socket, responses);
    socket.once('close', () => {
      closeQueued(responses);
      open.delete(socket);
    });
  });
  server.on('request', (request, response) => {
    const responses = open.get(request.socket) ?? [];
    responses.push(response);
    response.once('close', () => responses.splice(responses.indexOf(response), 1));
    if (draining) response.setHeader('Connection', 'close');
    app(request, response);
  });
  await listen(server, host, port);

  return {
    origin: originOf(host, (server.address() as AddressInfo).port), // a TCP server has one
    drain: async (milliseconds) => {
      draining = true;
      // Otherwise a client could send its next request on a connection that is about to close.
      for (const response of [...open.values()].flat())
        if (!response.headersSent) response.setHeader('Connection', 'close');
      const closed = once(server, 'close');
      NetServer.prototype.close.call(server); // http.Server's close would close idle connections immediately
      const idleCheck = setInterval(() => server.closeIdleConnections(), Math.min(idleCheckInterval, milliseconds / 2));
      const forceCloseTimer = setTimeout(() => server.closeAllConnections(), milliseconds);
      await closed;
      clearInterval(unreadCheck);
      clearInterval(idleCheck);
      clearTimeout(forceCloseTimer);
    },
  };
}

/**
 * Of pipelined requests, Node.js tells only the response that is being sent that the connection is closed. Those behind it would
 * hold the slots and streams of their requests for ever.
 */
function closeQueued(responses: readonly ServerResponse[]): void {
  for (const response of [...responses]) {
    if (response.socket !== null || response.writableFinished) continue;
    response.destroyed = true;
    response.emit('close');
  }
}

type Classes = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/**
 * Classes whose objects already have Express's prototypes. Otherwise Express replaces the prototype of every request and response,
 * which deoptimizes them in V8: a small response takes five times as long.
 */
export function expressPrototypes(app: App): Classes {
  class Request extends IncomingMessage {}
  class Response<Asked extends IncomingMessage> extends ServerResponse<Asked> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}

/** Closes connections whose client does not read. Node.js's own timeout would also close those on which only the server is silent. */
function closeUnread(server: Server, milliseconds: number, interval: number): NodeJS.Timeout {
  const sockets = new Map<Socket, { taken: number; since: number }>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { taken: 0, since: Date.now() });
    socket.once('close', () => sockets.delete(socket));
  });
  return setInterval(() => {
    const now = Date.now();
    for (const [socket, progress] of sockets) {
      const taken = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || taken > progress.taken) Object.assign(progress, { taken, since: now });
      else if (now - progress.since >= milliseconds) socket.destroy();
    }
  }, interval).unref();
}

/** Before anything is created for a service that cannot listen. Throws OperatorError. */
export async function assertPortFree({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const probe = new NetServer();
  await listen(probe, host, port);
  await new Promise((resolve) => probe.close(resolve));
}

async function listen(server: NetServer, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new OperatorError(reasons[code]?.(host, port) ?? `HOST=${host} PORT=${port}: cannot listen there (${code})`);
  }
}

const reasons: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `PORT=${port}: the port is in use on ${host}; stop the other program or choose another port`,
  EACCES: (_host, port) => `PORT=${port}: permission denied; choose a port from 1024 up`,
  EADDRNOTAVAIL: (host) => `HOST=${host}: not an address of this machine`,
  ENOTFOUND: (host) => `HOST=${host}: no such host`,
};

function originOf(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::' || host === '';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
