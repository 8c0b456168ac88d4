import { extname } from 'node:path';
import { pipeline } from 'node:stream';
import express, { type Request, type Response, type Router } from 'express';
import { routeKey } from '../../../http/request.ts';
import { isStorageName, type Storage } from '../../../lib/storage/storage.ts';
import {
  MethodNotAllowedError,
  NotFoundError,
  PreconditionFailedError,
  ValidationError,
} from '../../../texts/errors.ts';
import { imagesAt } from './image-storage.ts';

/** Serves stored images by name to anyone, since `<img>` cannot send a token. There is no listing. */
export function createImageRouter(storage: Storage): Router {
  const router = express.Router();
  const path = `${imagesAt}/:name` as const; // the parameter is part of the type
  const route = router.route(path);
  route.get(async (request, response) => {
    response.locals[routeKey] = path;
    const { name } = request.params;
    // No other name reaches the storage, neither a path out of it nor a file that is still being written.
    if (!isStorageName(name) || !/\.(jpg|png|gif|webp)$/.test(name)) throw new NotFoundError('route_not_found');
    const headers = imageHeaders(name);
    const url = storage.publicUrl(name);
    const file = storage.localPath(name);
    if (url !== undefined) redirect(response, url, headers);
    else if (file !== undefined) await sendLocal(response, file, headers);
    else await sendRemote(request, response, storage, name, headers);
  });
  route.all(() => {
    throw new MethodNotAllowedError(['GET', 'HEAD']);
  });
  return router;
}

/** A name always has the same content. Any origin may embed an image; opened as a page, it is sandboxed. */
function imageHeaders(name: string) {
  return {
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: `"${name}"`,
  };
}

/** Cached for only an hour: the storage may move while the path stays the same. */
function redirect(response: Response, url: string, { ETag: _, ...headers }: Record<string, string>): void {
  response.writeHead(302, { ...headers, 'Cache-Control': 'public, max-age=3600', Location: url });
  response.end();
}

async function sendLocal(response: Response, path: string, headers: Record<string, string>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    response.sendFile(path, { headers, dotfiles: 'allow' }, (error?: SendError) => {
      // The client disconnected.
      if (!error || error.code === 'ECONNABORTED') resolve();
      else reject(toAppError(error));
    });
  });
}

type SendError = NodeJS.ErrnoException & { status?: number };

function toAppError(error: SendError): Error {
  if (error.status === 404 || error.code === 'EISDIR') return new NotFoundError('route_not_found');
  if (error.status === 412) return new PreconditionFailedError();
  if (error.status === 416) return ValidationError.of('range', 'invalid');
  return error;
}

/** Sends the whole file, even if a range is requested. */
async function sendRemote(
  request: Request,
  response: Response,
  storage: Storage,
  name: string,
  headers: Record<string, string>,
): Promise<void> {
  const file = await storage.open(name);
  if (file === undefined) throw new NotFoundError('route_not_found');
  response.set({ ...headers, 'Last-Modified': file.modifiedAt.toUTCString() });
  if (request.fresh) response.status(304);
  else response.type(extname(name)).set('Content-Length', String(file.size));
  if (request.fresh || request.method === 'HEAD') {
    file.stream.destroy();
    response.end();
  } else {
    pipeline(file.stream, response, () => undefined);
  }
}
