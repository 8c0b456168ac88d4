import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type * as Client from '../../client/src/index.ts';
import { projectRoot } from '../../src/project-root.ts';
import { type Account, createAccount } from '../support/accounts.ts';
import { contactSettings } from '../support/contact.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { browserOptions, noBrowser } from '../support/web/browser-program.ts';

/** The bundled client, as defined in the page under test. */
declare const studytrack: typeof Client;

describe.skipIf(noBrowser)(`in a browser, from another origin ${noBrowser || ''}`, () => {
  let app: TestApp;
  let account: Account;
  let frontEnd: Server;
  let browser: Browser;
  let page: Page;
  /** A different site from the service, not only a different port, and an origin missing in `CORS_ORIGINS`. */
  let origins: { crossSite: string; unlisted: string };
  let requests: string[] = [];
  /** Defines `studytrack` in a page. */
  let script: string;

  beforeAll(async () => {
    const bundle = await build({
      entryPoints: [path.join(projectRoot, 'client/src/index.ts')],
      bundle: true,
      format: 'iife',
      globalName: 'studytrack',
      platform: 'browser',
      target: 'es2022',
      write: false,
    });
    script = bundle.outputFiles[0]?.text ?? '';
    frontEnd = createServer((_request, response) => {
      response
        .setHeader('Content-Type', 'text/html')
        .end(`<!doctype html><title>Front end</title><script>${script}</script>`);
    });
    await new Promise<void>((resolve) => frontEnd.listen(0, '127.0.0.1', resolve));
    const { port } = frontEnd.address() as AddressInfo; // a TCP server has one
    const [origin, crossSite] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
    origins = { crossSite, unlisted: `http://unlisted.localhost:${port}` };
    app = await startTestApp({ settings: { ...contactSettings, CORS_ORIGINS: `${origin},${crossSite}` } });
    account = await createAccount(app);
    browser = await chromium.launch(browserOptions);
    page = await browser.newPage();
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.goto(origin);
  });
  beforeEach(() => {
    requests = [];
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    frontEnd?.close();
  });

  const signIn = () => ({ baseUrl: app.origin, username: account.username, password: account.password });

  test('signs in, creates, lists, and an edit does not overwrite another', async () => {
    const result = await page.evaluate(async ({ baseUrl, ...credentials }) => {
      const client = studytrack.createClient({ baseUrl });
      await client.signIn(credentials);
      const { data: created } = await client.post('/api/projects', { body: { name: 'From the browser' } });
      const params = { id: created.id };
      const { etag } = await client.get('/api/projects/{id}', { params });
      const other = studytrack.createClient({ baseUrl });
      await other.signIn(credentials);
      await other.put('/api/projects/{id}', { params, body: { name: 'Changed meanwhile' }, ifMatch: etag });
      const code = await client.put('/api/projects/{id}', { params, body: { name: 'Too late' }, ifMatch: etag }).then(
        () => 'none',
        (error: unknown) => (studytrack.isApiError(error) ? error.code : String(error)),
      );
      const { data } = await client.get('/api/projects', { query: { search: 'meanwhile' } });
      return { code, names: data.projects.map((project) => project.name) };
    }, signIn());
    expect(result).toEqual({ code: 'PRECONDITION_FAILED', names: ['Changed meanwhile'] });
  });

  test('refreshes an expired token once for ten calls', async () => {
    const ids = await page.evaluate(async ({ baseUrl, ...credentials }) => {
      const store = studytrack.memoryStore();
      const client = studytrack.createClient({ baseUrl, store });
      await client.signIn(credentials);
      const tokens = store.load();
      if (tokens !== undefined) store.save({ ...tokens, token: 'expired.expired.expired' });
      const responses = await Promise.all(Array.from({ length: 10 }, () => client.get('/api/auth/me')));
      return responses.map((response) => response.data.id);
    }, signIn());
    expect(ids).toEqual(Array(10).fill(account.id));
    expect(requests.filter((request) => request === 'POST /api/auth/refresh')).toHaveLength(1);
  });

  test('reports upload progress', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    const picture = await sharp({ create: { width: 900, height: 900, channels: 3, background: 'white', noise } })
      .png()
      .toBuffer();
    const result = await page.evaluate(
      async ({ baseUrl, picture, ...credentials }) => {
        const client = studytrack.createClient({ baseUrl });
        await client.signIn(credentials);
        const { data: project } = await client.post('/api/projects', { body: { name: 'With a cover' } });
        const progress: number[] = [];
        const { data } = await client.post('/api/projects/{id}/image', {
          params: { id: project.id },
          form: { image: new Blob([Uint8Array.from(atob(picture), (char) => char.charCodeAt(0))]) },
          onProgress: (fraction) => progress.push(fraction),
        });
        const code = await client
          .post('/api/projects/{id}/image', {
            params: { id: project.id },
            form: { image: new Blob(['no picture']) },
            onProgress: () => undefined,
          })
          .then(
            () => 'none',
            (error: unknown) => (studytrack.isApiError(error) ? error.code : String(error)),
          );
        return { progress, code, url: data.image_url };
      },
      { ...signIn(), picture: picture.toString('base64') },
    );
    expect(result.progress.length).toBeGreaterThan(0);
    expect(result.progress.at(-1)).toBe(1);
    expect(result.code).toBe('VALIDATION_ERROR');
    expect(result.url).toMatch(/^\/uploads\/projects\/.+\.png$/);
  });

  test('exports a file with its name', async () => {
    const result = await page.evaluate(async ({ baseUrl, ...credentials }) => {
      const store = studytrack.memoryStore();
      await studytrack.createClient({ baseUrl, store }).signIn(credentials);
      const headers = { Authorization: `Bearer ${store.load()?.token}` };
      const response = await fetch(`${baseUrl}/api/sessions/export`, { headers });
      const names = ['Content-Disposition', 'X-Request-Id'];
      return { text: await response.text(), headers: names.map((name) => response.headers.get(name)) };
    }, signIn());
    expect(result.text).toContain('"started_at"');
    expect(result.headers).toEqual([expect.stringMatching(/^attachment; filename=".+\.csv"/), expect.any(String)]);
  });

  test('follows changes by the example of the documentation', async () => {
    const text = await readFile(path.join(projectRoot, 'docs/client.md'), 'utf8');
    const [, example = ''] = /read the stream with `fetch`:\n\n```ts\n(.*?)```/s.exec(text) ?? [];
    const changes = await page.evaluate(
      async ({ baseUrl, example, ...credentials }) => {
        const store = studytrack.memoryStore();
        const client = studytrack.createClient({ baseUrl, store });
        await client.signIn(credentials);
        const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
        const follow = new AsyncFunction('baseUrl', 'token', 'readAgain', example);
        const told = new Promise<string>((resolve, reject) => {
          follow(baseUrl, store.load()?.token, () => resolve('told')).catch(reject);
        });
        const change = setInterval(() => client.post('/api/projects', { body: { name: 'Seen live' } }), 500);
        return told.finally(() => clearInterval(change));
      },
      { ...signIn(), example },
    );
    expect(changes).toBe('told');
  });

  /** Submits a contact request. The captcha id is sent in the body, or by its cookie only. */
  const submit = (where: Page, email: string, withId: boolean) =>
    where.evaluate(
      async ({ baseUrl, email, withId }) => {
        const client = studytrack.createClient({ baseUrl });
        const { data: captcha } = await client.get('/api/contact/captcha');
        const { requestId } = await client.post('/api/contact/submit', {
          body: {
            name: 'Lin Wei',
            email,
            subject: 'other',
            message: 'Is there a calendar?',
            captcha: captcha.answer ?? '',
            ...(withId && { captcha_id: captcha.captcha_id }),
          },
        });
        return requestId;
      },
      { baseUrl: app.origin, email, withId },
    );

  test('submits a contact request whose captcha is identified by its cookie alone', async () => {
    expect(await submit(page, 'cookie@example.org', false)).toBeGreaterThan(0);
  });

  test('on another site, where browsers send no cookies, the captcha is identified in the body', async () => {
    const crossSite = await browser.newPage();
    await crossSite.goto(origins.crossSite);
    expect(await submit(crossSite, 'body@example.org', true)).toBeGreaterThan(0);
    await crossSite.close();
  });

  test('requests from an origin that is not listed fail', async () => {
    const unlisted = await browser.newPage();
    await unlisted.goto(origins.unlisted);
    const error = await unlisted.evaluate(
      (baseUrl) =>
        studytrack
          .createClient({ baseUrl })
          .get('/healthz')
          .then(
            () => 'succeeded',
            (thrown: unknown) => String(thrown),
          ),
      app.origin,
    );
    expect(error).toMatch(/TypeError: Failed to fetch/);
    await unlisted.close();
  });

  describe('on a page of the service', () => {
    let context: BrowserContext;
    let tab: Page;
    const openTab = async () => {
      const opened = await context.newPage();
      await opened.goto(`${app.origin}/openapi.json`);
      await opened.addScriptTag({ content: script });
      return opened;
    };
    beforeEach(async () => {
      context = await browser.newContext({ bypassCSP: true }); // for addScriptTag
      tab = await openTab();
      await tab.evaluate(
        ({ username, password }) =>
          studytrack
            .createClient({ baseUrl: '' })
            .post('/api/auth/browser/sign-in', { body: { username, password, keep_signed_in: false } }),
        account,
      );
    });
    afterEach(() => context.close());

    const refresh = (where: Page, baseUrl = '') =>
      where.evaluate(async (baseUrl) => {
        const client = studytrack.createClient({ baseUrl });
        const attempt = () =>
          client.post('/api/auth/browser/refresh', { body: {} }).then(
            ({ data }) => data.token,
            (error: unknown) => (studytrack.isApiError(error) ? error.code : String(error)),
          );
        let result = await attempt();
        // Without a lock, another tab may have refreshed first.
        for (let tries = 1; result === 'UNAUTHORIZED' && tries < 5; tries += 1) result = await attempt();
        return result;
      }, baseUrl);

    test('the cookie, which scripts cannot read, survives a reload', async () => {
      await tab.reload();
      await tab.addScriptTag({ content: script });
      expect(await tab.evaluate('document.cookie')).toBe('');
      expect(await refresh(tab)).toMatch(/^eyJ/);
      const [cookie] = await context.cookies();
      expect(cookie).toMatchObject({ name: 'studytrack', httpOnly: true, sameSite: 'Strict', expires: -1, path: '/' });
    });

    test('ten tabs that refresh at the same time all stay signed in', async () => {
      const tabs = await Promise.all(Array.from({ length: 10 }, openTab));
      for (const _round of [1, 2])
        expect(await Promise.all(tabs.map((one) => refresh(one)))).toEqual(
          Array(10).fill(expect.stringMatching(/^eyJ/)),
        );
      expect(await refresh(tab)).toMatch(/^eyJ/);
    });

    test('another origin of the same site cannot use the cookie, although it is listed', async () => {
      const other = await context.newPage();
      await other.goto(page.url());
      expect(await refresh(other, app.origin)).toBe('PERMISSION_DENIED');
      expect(await refresh(tab)).toMatch(/^eyJ/);
    });
  });
});
