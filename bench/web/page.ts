import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export type Bench = { browser: Browser; origin: string; password: string; runs: number };
export type Row = { what: string; measured: string; goal: string };

/** Users whose password `prepare` has set. */
export const [student, administrator] = ['person100', 'person21'];

export const median = (numbers: readonly number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Runs before the page's scripts; records paints, layout shifts, long tasks and interactions. */
const observers = `
  window.figures = { paint: 0, shift: 0, blocking: 0, interactions: {} };
  const observe = (type, take, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  observe('largest-contentful-paint', (entry) => (figures.paint = entry.startTime));
  observe('layout-shift', (entry) => entry.hadRecentInput || (figures.shift += entry.value));
  observe('longtask', (entry) => (figures.blocking += entry.duration - 50));
  observe('event', ({ interactionId, duration, name }) => {
    if (interactionId > 0 && duration > (figures.interactions[interactionId]?.duration ?? 0))
      figures.interactions[interactionId] = { duration, name };
  }, { durationThreshold: 16 });`;

export type Figures = {
  paint: number;
  shift: number;
  blocking: number;
  interactions: Record<string, { duration: number; name: string }>;
};

export async function openContext({ browser, origin }: Bench, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: origin, locale: 'en-GB', timezoneId: 'UTC', ...options });
  await context.addInitScript(observers);
  return context;
}

export async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  // With an open event stream the network never becomes idle. A route of the context would disable the browser's cache.
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setBlockedURLs', { urls: ['*/api/events'] });
  return page;
}

export async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Username or e-mail' }).fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

/** Throttles the CPU and, with `network`, the network. */
export async function slowDown(page: Page, processor: number, network = false): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: processor });
  if (!network) return;
  const throughput = (1.6 * 1024 * 1024) / 8;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: throughput,
    uploadThroughput: throughput / 2,
  });
}

export const readFigures = (page: Page): Promise<Figures> => page.evaluate('window.figures');
