import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import pg from 'pg';
import { type Browser, chromium, type Page } from 'playwright-core';
import { databaseUrl, median, readFlags, service, startServer, table } from './servers.ts';

const help = `Measures the web application in Chromium, on the database named by DATABASE_URL.

  npm run bench:data -- --scale school    first, on an empty database: 5,000 projects, 1,000 users
  npm run bench:web                       5 runs of each page; the result is the median
  npm run bench:web -- --runs 1

Pages are loaded with 1.6 Mbit/s, 150 ms latency and 4× CPU throttling: largest contentful paint, layout shift, blocking
time. CHROMIUM is the path of the browser (default /usr/bin/chromium).`;

const flags = readFlags(help, { runs: '5' });

const student = 'person100'; // created by data.ts
const password = randomBytes(12).toString('base64url');

/** Runs before the page's scripts; records paints, layout shifts and long tasks. */
const observers = `
  window.figures = { paint: 0, shift: 0, blocking: 0 };
  const observe = (type, take, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  observe('largest-contentful-paint', (entry) => (figures.paint = entry.startTime));
  observe('layout-shift', (entry) => entry.hadRecentInput || (figures.shift += entry.value));
  observe('longtask', (entry) => (figures.blocking += entry.duration - 50));`;
type Figures = { paint: number; shift: number; blocking: number };

const idle = 'new Promise((done) => requestIdleCallback(done))';
async function readFigures(page: Page): Promise<Figures> {
  await page.evaluate(idle);
  return await page.evaluate('window.figures');
}

async function openPage(browser: Browser, origin: string): Promise<Page> {
  const viewport = { width: 360, height: 740 };
  const context = await browser.newContext({ baseURL: origin, locale: 'en-GB', timezoneId: 'UTC', viewport });
  await context.addInitScript(observers);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  // With an open event stream the network never becomes idle. A route of the context would disable the browser's cache.
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setBlockedURLs', { urls: ['*/api/events'] });
  return page;
}

async function signIn(page: Page, username: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Username or e-mail' }).fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const [downloadThroughput, uploadThroughput] = [(1.6 * 1024 * 1024) / 8, (0.8 * 1024 * 1024) / 8];
  const network = { offline: false, latency: 150, downloadThroughput, uploadThroughput };
  await session.send('Network.emulateNetworkConditions', network);
}

/** Paint, shift and blocking time of a page with a cold and a warm cache, on a slow phone. */
async function measureLoads(browser: Browser, origin: string, path: string, username?: string): Promise<unknown[][]> {
  const runs: Figures[][] = [];
  for (let run = 0; run < Number(flags.runs); run += 1) {
    const page = await openPage(browser, origin);
    if (username !== undefined) await signIn(page, username);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.clearBrowserCache');
    await slowDown(page);
    const figures: Figures[] = [];
    for (let time = 0; time < 2; time += 1) {
      await page.goto(path, { waitUntil: 'networkidle' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      figures.push(await readFigures(page));
    }
    runs.push(figures);
    await page.context().close();
  }
  return ['cold', 'warm'].map((cache, time) => {
    const of = (field: 'paint' | 'shift' | 'blocking') => median(runs.map((run) => run[time]?.[field] ?? Number.NaN));
    const goal = `${time === 1 ? 1000 : path === '/' ? 2000 : 1800} ms, 0.05, 150 ms`;
    return [
      `${path}, ${cache}`,
      `${of('paint').toFixed(0)} ms, ${of('shift').toFixed(3)}, ${of('blocking').toFixed(0)} ms`,
      goal,
    ];
  });
}

const url = databaseUrl(help);
const database = new pg.Pool({ connectionString: url, max: 1 });
const setPasswords = 'UPDATE users SET password_hash = $1 WHERE username = $2';
await database.query(setPasswords, [await hash(password), student]);
await database.end();
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const { origin, stop } = await startServer(service, { DATABASE_URL: url, NODE_ENV: 'development' });
try {
  const rows = [
    ...(await measureLoads(browser, origin, '/contact')),
    ...(await measureLoads(browser, origin, '/', student)),
  ];
  process.stdout.write(table(['page', 'measured', 'goal'], rows));
} finally {
  await browser.close();
  await stop();
}
