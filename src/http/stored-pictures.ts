import { extname } from 'node:path';
import { pipeline } from 'node:stream';
import express, { type Request, type Response, type Router } from 'express';
import { MethodNotAllowedError, NotFoundError, PreconditionFailedError, ValidationError } from '../errors.ts';
import { isStorageName, type Storage } from '../lib/storage/storage.ts';
import type { Locale } from '../messages/index.ts';
import { routeKey } from './access-log.ts';
import { requestInfo } from './request.ts';
import { securityHeaders } from './send.ts';

type StoredPicturesOptions = { at: string; storage: Storage; defaultLocale: Locale };

/** Stored pictures by name, for anyone: a page cannot send a token with its `<img>`. There is no listing. */
export function createStoredPictures({ at, storage, defaultLocale }: StoredPicturesOptions): Router {
  const router = express.Router();
  const path = `${at}/:name` as const; // the parameter is part of the type
  const route = router.route(path);
  route.get(async (request, response) => {
    response.locals[routeKey] = path;
    const { name } = request.params;
    // Nothing else is ever looked for, so no path can lead out of the store, nor to a file that is still being written.
    if (!isStorageName(name) || !/\.(jpg|png|gif|webp)$/.test(name)) throw new NotFoundError('route_not_found');
    const headers = { ...pictureHeaders(name), 'X-Request-Id': requestInfo(request, defaultLocale).id };
    const elsewhere = storage.publicUrl(name);
    const file = storage.localPath(name);
    if (elsewhere !== undefined) redirect(response, elsewhere, headers);
    else if (file !== undefined) await sendLocal(response, file, headers);
    else await sendRemote(request, response, storage, name, headers);
  });
  route.all(() => {
    throw new MethodNotAllowedError(['GET', 'HEAD']);
  });
  return router;
}

/** Under its name a picture never changes. Opened by itself it is a page that may do nothing; pages anywhere may show it. */
function pictureHeaders(name: string) {
  return {
    ...securityHeaders,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: `"${name}"`,
  };
}

/** Only for an hour: the store may move, the path that the interface shows must not. */
function redirect(response: Response, url: string, { ETag: _, ...headers }: Record<string, string>): void {
  response.writeHead(302, { ...headers, 'Cache-Control': 'public, max-age=3600', Location: url });
  response.end();
}

async function sendLocal(response: Response, path: string, headers: Record<string, string>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    response.sendFile(path, { headers, dotfiles: 'allow' }, (error?: SendError) => {
      // The client went away: there is nobody left to tell.
      if (!error || error.code === 'ECONNABORTED') resolve();
      else reject(refusal(error));
    });
  });
}

type SendError = NodeJS.ErrnoException & { status?: number };

function refusal(error: SendError): Error {
  if (error.status === 404 || error.code === 'EISDIR') return new NotFoundError('route_not_found');
  if (error.status === 412) return new PreconditionFailedError();
  if (error.status === 416) return ValidationError.of('range', 'invalid');
  return error;
}

/** Whole, also when a range is asked for. */
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
