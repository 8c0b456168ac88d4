import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type Browser, type BrowserContext, chromium, type Download, type Locator, type Page } from 'playwright-core';
import { inject, onTestFinished, TestRunner } from 'vitest';
import { readWebSite } from '../../../src/http/web/web-router.ts';
import { projectRoot } from '../../../src/project-root.ts';
import { type Account, createAccount } from '../accounts.ts';
import { startTestApp, type TestAppOptions } from '../test-app.ts';

export { noBrowser } from './browser-program.ts';

/** The files of a worker share their connection to the run's browser. */
let connection: Promise<Browser> | undefined;

export type Look = {
  language?: 'en' | 'zh';
  theme?: 'light' | 'dark';
  width?: number;
  /** With the service worker, whose requests tests cannot intercept. */
  hasWorker?: boolean;
  /** False for pages that must become stale: they receive no events. */
  isLive?: boolean;
  /** The time zone of the device; UTC by default. */
  timezone?: string;
  /** A fixed time for the page's clock. */
  now?: Date;
  /** Of a proxy before the service. */
  origin?: string;
};
/** Script errors and violations of the Content-Security-Policy. */
export type Problems = string[];

/** The service with the built web application, and the pages of a browser, which are closed with it. */
export async function startWebApp(options: TestAppOptions = {}) {
  const site = new Map(readWebSite(path.join(projectRoot, 'dist/web')));
  const app = await startTestApp({ ...options, site });
  connection ??= chromium.connect(inject('browser'));
  const browser = await connection;
  const contexts: BrowserContext[] = [];

  async function openContext({
    language = 'en',
    theme = 'light',
    width = 1280,
    hasWorker = false,
    isLive = true,
    timezone = 'UTC',
    now,
    origin = app.origin,
  }: Look = {}) {
    const context = await browser.newContext({
      baseURL: origin,
      viewport: { width, height: 800 },
      hasTouch: width < 600,
      locale: language === 'zh' ? 'zh-CN' : 'en-GB',
      colorScheme: theme,
      timezoneId: timezone,
      serviceWorkers: hasWorker ? 'allow' : 'block',
    });
    // An open page goes on working, which slows the tests after it.
    if (TestRunner.getCurrentTest() === undefined) contexts.push(context);
    else onTestFinished(() => close(context));
    if (!isLive) await context.route('**/api/events', (route) => route.abort());
    if (now !== undefined) await context.clock.setFixedTime(now);
    context.setDefaultTimeout(30_000);
    return context;
  }

  async function openPage(context: BrowserContext, where = '/'): Promise<{ page: Page; problems: Problems }> {
    const page = await context.newPage();
    const problems: Problems = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      // The browser itself reports each response that is an error.
      const isExpected = /^Failed to load resource/.test(message.text());
      if (message.type() === 'error' && !isExpected) problems.push(message.text());
    });
    await page.goto(where);
    return { page, problems };
  }

  return {
    ...app,
    /** The served files by path. */
    site,
    /** The gzip-compressed size of a file in bytes. */
    gzipSize: (path: string) => site.get(path)?.encodings.gzip?.length,
    /** The paths with a suffix. */
    assets: (suffix: string) => [...site.keys()].filter((path) => path.endsWith(suffix)),
    openContext,
    openPage,
    createAccount: (fields: object = {}) => createAccount(app, fields),
    /** A page of a signed-in user, without using the form. */
    async openAs(account: Account, look: Look = {}, where = '/') {
      const context = await openContext(look);
      await context.request.post('/api/auth/browser/sign-in', {
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        data: { username: account.username, password: account.password, keep_signed_in: false },
        failOnStatusCode: true,
      });
      const opened = await openPage(context, '/healthz'); // a small resource of the same origin
      await opened.page.evaluate('localStorage.setItem("studytrack.signed-in", "null")');
      await opened.page.goto(where);
      // In any language: the account's own replaces the device's as soon as it is known.
      await opened.page.getByRole('navigation', { name: /^(Pages|页面|頁面)$/ }).waitFor();
      return { ...opened, context };
    },
    stop: async () => {
      await Promise.all(contexts.map(close));
      await app.stop();
    },
  };
}

/** A handler of a route may still work on a request of its page, whose end is no failure of the test. */
async function close(context: BrowserContext): Promise<void> {
  const routed = context.pages().length > 0 ? [context, ...context.pages()] : []; // a test may have closed them
  await Promise.all(routed.map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
}

export type WebApp = Awaited<ReturnType<typeof startWebApp>>;

const names = {
  en: { name: 'Username or e-mail', password: 'Password', signIn: 'Sign in', pages: 'Pages' },
  zh: { name: '用户名或邮箱', password: '密码', signIn: '登录', pages: '页面' },
} as const;

export async function signInOn(page: Page, account: Account, language: 'en' | 'zh' = 'en'): Promise<void> {
  const texts = names[language];
  await page.getByRole('textbox', { name: texts.name }).fill(account.username);
  await page.getByLabel(texts.password, { exact: true }).fill(account.password);
  await page.getByRole('button', { name: texts.signIn, exact: true }).click();
  await page.getByRole('navigation', { name: texts.pages, exact: true }).waitFor();
}

/** Clicks a checkbox on its label, because the field itself is not visible. */
export const clickLabel = (checkbox: Locator): Promise<void> => checkbox.locator('xpath=ancestor::label').click();

/** Single keys do nothing for a second after another page was opened other than by a key (see web/src/lib/shortcuts.ts). */
export const untilKeysWork = (page: Page): Promise<void> => page.waitForTimeout(1000);

export const textOf = async (download: Download): Promise<string> => text(await download.createReadStream());
