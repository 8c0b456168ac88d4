declare const self: ServiceWorkerGlobalScope;
/** Written in by the build: the files of this version, and the first segments of the addresses of pages. */
declare const __FILES__: readonly string[];
declare const __PAGES__: readonly string[];

const files: ReadonlySet<string> = new Set(__FILES__);
const pages: ReadonlySet<string> = new Set(__PAGES__);
const shell = '/';
/** For pages on a network that is there in name only. */
const patience = 5000;
const open = () => caches.open('studytrack.files');
/** The service chose the language, and the page changes it. */
const anyVariant = { ignoreVary: true };

/** Stores what a start without a connection needs. Files have their hash in the name: those that stayed are kept. */
async function install(): Promise<void> {
  const cache = await open();
  const missing = await Promise.all(
    [...files].map(async (file) => ((await cache.match(file, anyVariant)) ? [] : file)),
  );
  await cache.addAll(missing.flat());
  const page = await fetch(shell, { headers: { Accept: 'text/html' } });
  if (!page.ok) throw new Error(`the page could not be read: ${page.status}`);
  await cache.put(shell, page);
  await self.skipWaiting();
}

async function activate(): Promise<void> {
  const cache = await open();
  const old = (await cache.keys()).filter(({ url }) => ![shell, ...files].includes(new URL(url).pathname));
  await Promise.all(old.map((request) => cache.delete(request, anyVariant)));
  await self.clients.claim();
}

/** From the service where it responds, so that a new version is seen at once. */
async function openPage(request: Request): Promise<Response> {
  const stored = await (await open()).match(shell, anyVariant);
  if (stored === undefined) return fetch(request);
  const late = new Promise<Response>((resolve) => setTimeout(resolve, patience, stored));
  const response = await Promise.race([fetch(request), late]).catch(() => stored);
  return response.status < 500 ? response : stored;
}

const openFile = async (request: Request) => (await (await open()).match(request, anyVariant)) ?? fetch(request);

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
// Everything else, above all the interface, goes its own way: what it says about people is stored nowhere.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== 'GET') return;
  if (files.has(pathname)) event.respondWith(openFile(request));
  else if (request.mode === 'navigate' && pages.has(pathname.split('/')[1] ?? '')) event.respondWith(openPage(request));
});
