declare const self: ServiceWorkerGlobalScope;
/** Inserted by the build: the files of this version, and the first path segments of pages. */
declare const __FILES__: readonly string[];
declare const __PAGES__: readonly string[];

const files: ReadonlySet<string> = new Set(__FILES__);
const pages: ReadonlySet<string> = new Set(__PAGES__);
/** Fetched at the first use: the texts in traditional Chinese. */
const isOptional = (url: string) => url.includes('/zh-Hant-');
const shell = '/';
/** After this time without a response, the stored page is shown. */
const networkTimeout = 5000;
const open = () => caches.open('studytrack.files');
/** Any language will do: the page switches it. */
const anyVariant = { ignoreVary: true };

/** Caches what an offline start needs. File names contain a hash, so unchanged files are not fetched again. */
async function install(): Promise<void> {
  const cache = await open();
  const usesOptional = (await cache.keys()).some(({ url }) => isOptional(url)); // of the version before
  const needed = [...files].filter((file) => usesOptional || !isOptional(file));
  const missing = await Promise.all(needed.map(async (file) => ((await cache.match(file, anyVariant)) ? [] : file)));
  await cache.addAll(missing.flat());
  const page = await fetch(shell, { headers: { Accept: 'text/html' } });
  if (!page.ok) throw new Error(`fetching the page failed: ${page.status}`);
  await cache.put(shell, page);
  await self.skipWaiting();
}

async function activate(): Promise<void> {
  const cache = await open();
  const old = (await cache.keys()).filter(({ url }) => ![shell, ...files].includes(new URL(url).pathname));
  await Promise.all(old.map((request) => cache.delete(request, anyVariant)));
  await self.clients.claim();
}

/** Network first, so that a new version is shown at once. */
async function openPage(request: Request): Promise<Response> {
  const stored = await (await open()).match(shell, anyVariant);
  if (stored === undefined) return fetch(request);
  const late = new Promise<Response>((resolve) => setTimeout(resolve, networkTimeout, stored));
  const response = await Promise.race([fetch(request), late]).catch(() => stored);
  return response.status < 500 ? response : stored;
}

async function openFile(request: Request): Promise<Response> {
  const cache = await open();
  const stored = await cache.match(request, anyVariant);
  if (stored !== undefined) return stored;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone()).catch(() => undefined); // no space left
  return response;
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
// Other requests, above all to the API, are not handled: personal data is never cached.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== 'GET') return;
  if (files.has(pathname)) event.respondWith(openFile(request));
  else if (request.mode === 'navigate' && pages.has(pathname.split('/')[1] ?? '')) event.respondWith(openPage(request));
});
