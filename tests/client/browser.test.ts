import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type * as Client from '../../client/src/index.ts';
import { projectRoot } from '../../src/lib/project-root.ts';
import { type Account, createAccount } from '../support/accounts.ts';
import { contactSettings } from '../support/contact.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { browserOptions, noBrowser } from '../support/web/browser-program.ts';

/** The bundled client, as the page under test has it. */
declare const studytrack: typeof Client;

describe.skipIf(noBrowser)(`in a browser, from another origin ${noBrowser || ''}`, () => {
  let app: TestApp;
  let account: Account;
  let front: Server;
  let browser: Browser;
  let page: Page;
  /** Another site than the service, and not only another port; and one that the service does not know. */
  let elsewhere: { abroad: string; unlisted: string };
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
    front = createServer((_request, response) => {
      response
        .setHeader('Content-Type', 'text/html')
        .end(`<!doctype html><title>Front end</title><script>${script}</script>`);
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const { port } = front.address() as AddressInfo; // a TCP server has one
    const [origin, abroad] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
    elsewhere = { abroad, unlisted: `http://unlisted.localhost:${port}` };
    app = await startTestApp({ settings: { ...contactSettings, CORS_ORIGINS: `${origin},${abroad}` } });
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
    front?.close();
  });

  const signIn = () => ({ baseUrl: app.origin, username: account.username, password: account.password });

  test('signs in, creates, lists and keeps an edit from overwriting another', async () => {
    const seen = await page.evaluate(async ({ baseUrl, ...credentials }) => {
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
    expect(seen).toEqual({ code: 'PRECONDITION_FAILED', names: ['Changed meanwhile'] });
  });

  test('renews an expired token once for ten calls', async () => {
    const ids = await page.evaluate(async ({ baseUrl, ...credentials }) => {
      const store = studytrack.memoryStore();
      const client = studytrack.createClient({ baseUrl, store });
      await client.signIn(credentials);
      const kept = store.load();
      if (kept !== undefined) store.save({ ...kept, token: 'expired.expired.expired' });
      const answers = await Promise.all(Array.from({ length: 10 }, () => client.get('/api/auth/me')));
      return answers.map((answer) => answer.data.id);
    }, signIn());
    expect(ids).toEqual(Array(10).fill(account.id));
    expect(requests.filter((request) => request === 'POST /api/auth/refresh')).toHaveLength(1);
  });

  test('reports upload progress', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    const picture = await sharp({ create: { width: 900, height: 900, channels: 3, background: 'white', noise } })
      .png()
      .toBuffer();
    const seen = await page.evaluate(
      async ({ baseUrl, picture, ...credentials }) => {
        const client = studytrack.createClient({ baseUrl });
        await client.signIn(credentials);
        const { data: project } = await client.post('/api/projects', { body: { name: 'With a cover' } });
        const told: number[] = [];
        const { data } = await client.post('/api/projects/{id}/image', {
          params: { id: project.id },
          form: { image: new Blob([Uint8Array.from(atob(picture), (char) => char.charCodeAt(0))]) },
          onProgress: (fraction) => told.push(fraction),
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
        return { told, code, url: data.image_url };
      },
      { ...signIn(), picture: picture.toString('base64') },
    );
    expect(seen.told.length).toBeGreaterThan(0);
    expect(seen.told.at(-1)).toBe(1);
    expect(seen.code).toBe('VALIDATION_ERROR');
    expect(seen.url).toMatch(/^\/uploads\/projects\/.+\.png$/);
  });

  /** Gets a captcha and submits; names the captcha in the body, or leaves that to the cookie. */
  const write = (where: Page, email: string, named: boolean) =>
    where.evaluate(
      async ({ baseUrl, email, named }) => {
        const client = studytrack.createClient({ baseUrl });
        const { data: captcha } = await client.get('/api/contact/captcha');
        const { requestId } = await client.post('/api/contact/submit', {
          body: {
            name: 'Lin Wei',
            email,
            subject: 'other',
            message: 'Is there a calendar?',
            captcha: captcha.answer ?? '',
            ...(named && { captcha_id: captcha.captcha_id }),
          },
        });
        return requestId;
      },
      { baseUrl: app.origin, email, named },
    );

  test('writes to the administrators: the captcha is identified by its cookie alone', async () => {
    expect(await write(page, 'cookie@example.org', false)).toBeGreaterThan(0);
  });

  test('from another site, where browsers hold back cookies, the captcha is named in the body', async () => {
    const abroad = await browser.newPage();
    await abroad.goto(elsewhere.abroad);
    expect(await write(abroad, 'named@example.org', true)).toBeGreaterThan(0);
    await abroad.close();
  });

  test('is kept out from an origin that is not listed', async () => {
    const stranger = await browser.newPage();
    await stranger.goto(elsewhere.unlisted);
    const error = await stranger.evaluate(
      (baseUrl) =>
        studytrack
          .createClient({ baseUrl })
          .get('/healthz')
          .then(
            () => 'let in',
            (thrown: unknown) => String(thrown),
          ),
      app.origin,
    );
    expect(error).toMatch(/TypeError: Failed to fetch/);
    await stranger.close();
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
      context = await browser.newContext({ bypassCSP: true }); // no page of ours is served here
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
        const ask = () =>
          client.post('/api/auth/browser/refresh', { body: {} }).then(
            ({ data }) => data.token,
            (error: unknown) => (studytrack.isApiError(error) ? error.code : String(error)),
          );
        let answer = await ask();
        // Without a lock, other tabs may have been quicker.
        for (let tries = 1; answer === 'UNAUTHORIZED' && tries < 5; tries += 1) answer = await ask();
        return answer;
      }, baseUrl);

    test('a reload goes on by the cookie, which scripts cannot read', async () => {
      await tab.reload();
      await tab.addScriptTag({ content: script });
      expect(await tab.evaluate('document.cookie')).toBe('');
      expect(await refresh(tab)).toMatch(/^eyJ/);
      const [cookie] = await context.cookies();
      expect(cookie).toMatchObject({ name: 'studytrack', httpOnly: true, sameSite: 'Strict', expires: -1, path: '/' });
    });

    test('ten tabs that wake together are all renewed, and go on', async () => {
      const tabs = await Promise.all(Array.from({ length: 10 }, openTab));
      for (const _round of [1, 2])
        expect(await Promise.all(tabs.map((one) => refresh(one)))).toEqual(
          Array(10).fill(expect.stringMatching(/^eyJ/)),
        );
      expect(await refresh(tab)).toMatch(/^eyJ/);
    });

    test('another origin of the same site may not use the cookie, although it is listed', async () => {
      const other = await context.newPage();
      await other.goto(page.url());
      expect(await refresh(other, app.origin)).toBe('PERMISSION_DENIED');
      expect(await refresh(tab)).toMatch(/^eyJ/);
    });
  });
});
