import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { readWebSite } from '../../src/http/web/web-site.ts';
import { projectRoot } from '../../src/lib/project-root.ts';
import { type Account, createAccount } from './accounts.ts';
import { startTestApp, type TestAppOptions } from './test-app.ts';

const program = '/usr/bin/chromium';
const quiet = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-quic', '--no-first-run'];
const offline = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
export const noBrowser = existsSync(program) ? false : `needs ${program}`;

export type Look = {
  language?: 'en' | 'zh';
  theme?: 'light' | 'dark';
  width?: number;
  /** With the service worker, past which tests see and change no requests. */
  hasWorker?: boolean;
};
/** What a browser must not report: scripts that fail, and what the Content-Security-Policy had to stop. */
export type Problems = string[];

/** The service with the built web application, and a browser. */
export async function startWebApp(options: TestAppOptions = {}) {
  const site = new Map(readWebSite(path.join(projectRoot, 'dist/web')));
  const app = await startTestApp({ ...options, site });
  const browser: Browser = await chromium.launch({ executablePath: program, args: [...quiet, ...offline] });

  async function openContext({ language = 'en', theme = 'light', width = 1280, hasWorker = false }: Look = {}) {
    const context = await browser.newContext({
      baseURL: app.origin,
      viewport: { width, height: 800 },
      hasTouch: width < 600,
      locale: language === 'zh' ? 'zh-CN' : 'en-GB',
      colorScheme: theme,
      timezoneId: 'UTC',
      serviceWorkers: hasWorker ? 'allow' : 'block',
    });
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
    browser,
    /** The files that are served, by path. */
    site,
    /** Bytes of a file as most browsers receive it, or fewer. */
    gzipSize: (path: string) => site.get(path)?.forms.gzip?.length,
    /** Paths of the files of a kind. */
    assets: (suffix: string) => [...site.keys()].filter((path) => path.endsWith(suffix)),
    openContext,
    openPage,
    createAccount: (fields: object = {}) => createAccount(app, fields),
    /** A page of somebody who has signed in there. */
    async openAs(account: Account, look: Look = {}, where = '/') {
      const context = await openContext(look);
      const opened = await openPage(context);
      await signInOn(opened.page, account, look.language);
      if (where !== '/') await opened.page.goto(where);
      return { ...opened, context };
    },
    stop: async () => {
      await browser.close();
      await app.stop();
    },
  };
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
  await page.getByRole('navigation', { name: texts.pages }).waitFor();
}
