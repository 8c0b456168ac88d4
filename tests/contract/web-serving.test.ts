import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWebSite } from '../../src/http/web/web-router.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const script = 'export const text = "a script";\n'.repeat(20);
const navigation = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let folder: string;
let app: TestApp;
let unbuilt: TestApp;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-site-'));
  await mkdir(path.join(folder, 'assets'));
  const files = {
    'index.html': '<html lang="en"><title></title>Studytrack</html>',
    'robots.txt': 'User-agent: *',
    'index.zh.html': '<html lang="zh-CN">学习</html>',
    'index.zh-Hant.html': '<html lang="zh-Hant">學習</html>',
    'assets/main-abc.js': script,
    'assets/main-abc.js.br': brotliCompressSync(script),
    'assets/main-abc.js.gz': gzipSync(script),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  const settings = {
    STORAGE_PUBLIC_URL: 'https://pictures.example.org/bucket',
    STORAGE_URL: 's3://k:s@127.0.0.1:1/pictures',
  };
  [app, unbuilt] = await Promise.all([startTestApp({ site: readWebSite(folder), settings }), startTestApp()]);
});
afterAll(async () => {
  await Promise.all([app.stop(), unbuilt.stop()]);
  await rm(folder, { recursive: true });
});

const get = (where: string, headers: Record<string, string> = navigation, method: 'get' | 'head' = 'get') =>
  request(app.server)[method](where).set(headers);

test.each(['/', '/projects/12', '/sign-in?next=%2Frecords', '/no/such/page'])('%s returns the page', async (where) => {
  const { status, text, headers } = await get(where);
  expect([status, text]).toEqual([200, '<html lang="en"><title></title>Studytrack</html>']);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    vary: 'Accept, Accept-Language, Accept-Encoding',
    'x-content-type-options': 'nosniff',
  });
});

test('pages of secret links are neither indexed nor stored, and send no address to others', async () => {
  const { text, headers } = await get('/reports/shared');
  expect(text).toContain('<meta name="robots" content="noindex">');
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
  });
  expect((await get('/projects')).headers).not.toHaveProperty('x-robots-tag');
});

test('the page is in the language of the browser, and is not sent again if unchanged', async () => {
  const chinese = { ...navigation, 'Accept-Language': 'zh-CN,zh;q=0.9,en;q=0.8' };
  const { text, headers } = await get('/', chinese);
  expect(text).toContain('学习');
  expect((await get('/', { ...navigation, 'Accept-Language': 'zh-TW,zh;q=0.9' })).text).toContain('學習');
  const again = await get('/', { ...chinese, 'If-None-Match': headers['etag'] ?? '' });
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await get('/', { ...navigation, 'If-None-Match': headers['etag'] ?? '' })).status).toBe(200);
});

test('HEAD returns only headers, and other methods return no page', async () => {
  const { status, text, headers } = await get('/', navigation, 'head');
  const length = (await get('/', navigation)).headers['content-length'];
  expect([status, text ?? '', headers['content-length']]).toEqual([200, '', length]);
  expect((await request(app.server).post('/').set(navigation)).status).toBe(404);
});

test('only navigation requests of a browser return the page; / returns it to every client, a file is a file', async () => {
  for (const headers of [{}, { Accept: 'application/json' }]) expect((await get('/', headers)).text).toContain('<html');
  expect((await get('/robots.txt')).text).toBe('User-agent: *');
  for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
    const { status, body } = await get('/no/such/path', headers);
    expect([status, body.error?.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  }
});

test('no path of the API returns the page, not even an unknown one', async () => {
  const known = app.container.operations.map(({ path: where }) => where.replace(/:\w+/g, '1'));
  const unknown = ['/api', '/api/', '/API/x', '/api/nothing', '/uploads/x', '/achievements/x/y', '/.well-known/x'];
  for (const where of [...known, ...unknown]) {
    const { text } = await get(where);
    expect(text, where).not.toContain('<html');
  }
  expect((await get('/docs')).text).toContain('Studytrack API');
  expect((await get('/api/nothing')).body.error.code).toBe('RESOURCE_NOT_FOUND');
});

const lengths = {
  br: brotliCompressSync(script).length,
  gzip: gzipSync(script).length,
  identity: script.length,
};
test.each([
  ['br', 'gzip, deflate, br'],
  ['gzip', 'gzip, br;q=0'],
  ['identity', 'identity'],
] as const)('a hashed file with encoding %s is cached permanently', async (form, accepted) => {
  const response = await fetch(`${app.origin}/assets/main-abc.js`, { headers: { 'Accept-Encoding': accepted } });
  expect(response.headers.get('content-encoding') ?? 'identity').toBe(form);
  expect(Number(response.headers.get('content-length'))).toBe(lengths[form]);
  expect(await response.text()).toBe(script); // fetch has decoded it
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(response.headers.get('vary')).toBe('Accept-Encoding');
});

test('a missing file returns 404, not the page', async () => {
  for (const where of ['/assets/main-old.js', '/assets/', '/assets/..%2findex.html', '/assets/main-abc.js.br']) {
    const { status, body } = await get(where);
    expect([status, body.error?.code], where).toEqual([404, 'RESOURCE_NOT_FOUND']);
  }
});

test('the page may load only its own files, and images from the store', async () => {
  const policy = (await get('/')).headers['content-security-policy'] ?? '';
  const rules = new Map(policy.split(/; ?/).map((rule) => [rule.split(' ', 1)[0], rule]));
  expect(rules.get('default-src')).toBe("default-src 'none'");
  expect(rules.get('script-src')).toBe("script-src 'self'");
  expect(rules.get('style-src')).toBe("style-src 'self'");
  expect(rules.get('img-src')).toBe("img-src 'self' data: blob: https://pictures.example.org");
  expect(rules.get('require-trusted-types-for')).toBe("require-trusted-types-for 'script'");
  expect(policy).not.toContain('unsafe');
});

test('without the built application the API works, and the page explains how to build it', async () => {
  const { status, text } = await request(unbuilt.server).get('/').set(navigation);
  expect([status, text]).toEqual([404, 'The web application has not been built. Run: npm run build\n']);
  expect((await request(unbuilt.server).get('/healthz')).status).toBe(200);
});
