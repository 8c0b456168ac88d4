import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { escapeHtml } from '../../lib/html.ts';
import { NotFoundError } from '../../texts/errors.ts';
import type { RateLimit } from '../limits.ts';
import { contentTag, matchesTag } from '../reply.ts';
import { routeKey } from '../request.ts';
import { contentPolicy } from './security.ts';

type Encoding = 'br' | 'gzip';
type WebFile = {
  type: string;
  encodings: Readonly<{ identity: Buffer } & Partial<Record<Encoding, Buffer>>>;
  etag: string;
};

export type WebSite = ReadonlyMap<string, WebFile>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Reads all files into memory: requests do not access the file system, and no path can leave the folder. */
export function readWebSite(folder: string): WebSite {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.flatMap((name): [string, WebFile][] => {
    const type = types[path.extname(name)];
    return type === undefined
      ? []
      : [[`/${name.split(path.sep).join('/')}`, readEncodings(path.join(folder, name), type)]];
  });
  return new Map(files);
}

function readEncodings(file: string, type: string): WebFile {
  const identity = readFileSync(file);
  const encodings = {
    identity,
    ...(existsSync(`${file}.br`) && { br: readFileSync(`${file}.br`) }),
    ...(existsSync(`${file}.gz`) && { gzip: readFileSync(`${file}.gz`) }),
  };
  return { type, encodings, etag: contentTag(identity) };
}

export type WebRouterOptions = {
  site: WebSite;
  /** Paths of the API: paths with the same first segment are not pages. */
  reserved: readonly string[];
  limit: RateLimit;
  imageOrigin: string | undefined;
  /** `<meta>` tags of every page, for what a page must know before its first request. */
  meta?: Readonly<Record<string, string>>;
};

const workerPath = '/sw.js';
/** Of pages that show personal data to anyone who has a secret link. */
const sharedSegment = 'reports';
const workerPolicy = contentPolicy({
  'default-src': ["'none'"],
  'connect-src': ["'self'"],
  'frame-ancestors': ["'none'"],
});

const firstSegment = (path: string) => path.split('/', 2)[1]?.toLowerCase() ?? '';
const notBuilt = 'The web application has not been built. Run: npm run build\n';

/** Serves the files of the web application, and its page for all other paths that a browser navigates to; at `/` for every client, such as monitors. */
export function createWebRouter({ site, reserved, limit, imageOrigin, meta = {} }: WebRouterOptions): RequestHandler {
  const pagesWith = (tags: Readonly<Record<string, string>>) => ({
    en: withMeta(site.get('/index.html'), tags),
    zh: withMeta(site.get('/index.zh.html'), tags),
    'zh-Hant': withMeta(site.get('/index.zh-Hant.html'), tags),
  });
  const pages = { open: pagesWith(meta), shared: pagesWith({ ...meta, robots: 'noindex' }) };
  const notPages = new Set([...reserved.map(firstSegment), 'assets']);
  const pagePolicy = createPolicy(imageOrigin);

  return async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const isAsset = request.path.startsWith('/assets/');
    const file = request.path.endsWith('.html') ? undefined : site.get(request.path);
    const wantsPage = request.path === '/' || request.headers.accept?.includes('text/html') === true;
    const isPage = wantsPage && !notPages.has(firstSegment(request.path));
    if (file === undefined && !isAsset && !isPage) return next();
    await limit(request, response);
    response.locals[routeKey] = isAsset ? '/assets/:file' : '/:page';
    if (file !== undefined) {
      const cache = isAsset ? 'public, max-age=31536000, immutable' : 'no-cache';
      if (request.path === workerPath) workerPolicy(request, response, () => undefined);
      return send(request, response, file, { 'Cache-Control': cache, Vary: 'Accept-Encoding' });
    }
    if (isAsset) throw new NotFoundError('route_not_found');
    const isShared = firstSegment(request.path) === sharedSegment;
    const page = pages[isShared ? 'shared' : 'open'][request.info.locale];
    if (page === undefined) {
      response.status(404).set('Cache-Control', 'no-store').type('text/plain').send(notBuilt);
      return;
    }
    pagePolicy(request, response, () => undefined);
    if (isShared) response.set('X-Robots-Tag', 'noindex, nofollow');
    const headers = { 'Cache-Control': isShared ? 'no-store' : 'no-cache' };
    send(request, response, page, { ...headers, Vary: 'Accept, Accept-Language, Accept-Encoding' });
  };
}

function withMeta(page: WebFile | undefined, meta: Readonly<Record<string, string>>): WebFile | undefined {
  const tags = Object.entries(meta).map(([name, content]) => `<meta name="${name}" content="${escapeHtml(content)}">`);
  if (page === undefined || tags.length === 0) return page;
  const identity = Buffer.from(
    page.encodings.identity.toString('utf8').replace('</title>', () => `</title>${tags.join('')}`),
  );
  const encodings = { identity, br: brotliCompressSync(identity), gzip: gzipSync(identity) };
  return { ...page, encodings, etag: contentTag(identity) };
}

function send(request: Request, response: Response, file: WebFile, headers: Record<string, string>): void {
  response.set({ ...headers, ETag: file.etag });
  if (matchesTag(request.get('If-None-Match') ?? '', file.etag)) {
    response.status(304).end();
    return;
  }
  const encoding = (['br', 'gzip'] as const).find(
    (name) => file.encodings[name] !== undefined && request.acceptsEncodings(name) === name,
  );
  const bytes = file.encodings[encoding ?? 'identity'] ?? file.encodings.identity;
  if (encoding !== undefined) response.set('Content-Encoding', encoding);
  response.set({ 'Content-Type': file.type }).send(bytes);
}

function createPolicy(imageOrigin: string | undefined): RequestHandler {
  return contentPolicy({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:', 'blob:', ...(imageOrigin === undefined ? [] : [imageOrigin])],
    'font-src': ["'self'"],
    'media-src': ['blob:'],
    'connect-src': ["'self'"],
    'manifest-src': ["'self'"],
    'worker-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['studytrack'], // for the address of the service worker alone
  });
}
