import { createSecretKey } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import jwt from 'jsonwebtoken';

/** An authenticated request; `id` is the project id in its path, or 0. */
export type BareRequest = {
  userId: number;
  signInId: string;
  id: number;
  /** The query string, without `?`. */
  search: string;
  content: Buffer;
  headers: IncomingHttpHeaders;
};
export type Handlers = Readonly<Record<string, (request: BareRequest) => Promise<string | Buffer>>>;

/** Maps a path of the service to the name of a handler and the id in the path. */
function route(method: string, path: string, search: string): { name: string; id: number } {
  const [, , part = '', id = '', rest = ''] = path.split('/');
  if (part !== 'projects' || id === 'batch-assign') return { name: `${method} ${id.replace('-assign', '')}`, id: 0 };
  if (rest !== '') return { name: `${method} ${rest === 'sessions' ? 'session' : rest}`, id: Number(id) };
  if (id !== '') return { name: `${method} project`, id: Number(id) };
  if (method === 'POST') return { name: 'POST project', id: 0 };
  return { name: search.startsWith('cached=') ? 'GET cached' : 'GET list', id: 0 };
}

const fixed = new Map<number, Buffer>();
function fixedResponse(bytes: number): Buffer {
  const response = fixed.get(bytes) ?? Buffer.alloc(bytes, 'x');
  fixed.set(bytes, response);
  return response;
}

/**
 * Serves the handlers from a bare `node:http` server: it verifies the token, but has no framework, validation, logging,
 * user lookup or limits. /fixed/<bytes> returns a prepared response of that size.
 */
export function serveBare(secret: string, handlers: Handlers): void {
  const key = createSecretKey(Buffer.from(secret));

  async function respond(method: string, url: string, headers: IncomingHttpHeaders, content: Buffer) {
    const queryStart = url.indexOf('?');
    const path = queryStart === -1 ? url : url.slice(0, queryStart);
    if (path.startsWith('/fixed/')) return fixedResponse(Number(path.slice('/fixed/'.length)));
    const claims = jwt.verify(headers.authorization?.slice(7) ?? '', key, { algorithms: ['HS256'] }) as jwt.JwtPayload;
    const search = queryStart === -1 ? '' : url.slice(queryStart + 1);
    const { name, id } = route(method, path, search);
    const signInId = String(claims.jti).slice(0, 36);
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`unknown operation ${name}`);
    return handler({ userId: Number(claims.sub), signInId, id, search, content, headers });
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = 'GET', url = '/', headers } = request;
      void respond(method, url, headers, Buffer.concat(chunks)).then(
        (body) => {
          response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
          response.end(body);
        },
        (error: unknown) => {
          response.writeHead(500);
          response.end(String(error));
        },
      );
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ origin: `http://127.0.0.1:${port}` })}\n`);
  });
}
