import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ImageApp, startImageApp } from '../../../support/image-app.ts';
import { noise } from '../../../support/pictures.ts';

let app: ImageApp;
let path: string;
let bytes: Buffer;
beforeAll(async () => {
  app = await startImageApp();
  const owner = await app.createUser();
  const picture = await noise(60, 45).png().toBuffer();
  const { body } = await app.upload(owner, await app.createProject(owner), picture).expect(200);
  path = body.data.image_url;
  bytes = await readFile(join(app.folders.UPLOADS_DIR, 'projects', body.data.filename));
});
afterAll(() => app.stop());

describe('a stored image', () => {
  test('is public, immutable, and served only as an image', async () => {
    const response = await app.load(path);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-request-id': expect.any(String),
      'last-modified': expect.any(String),
    });
    expect(response.headers['x-powered-by']).toBeUndefined();
    expect(response.bytes.equals(bytes)).toBe(true);
  });

  test('supports conditional requests', async () => {
    const { headers } = await app.load(path);
    const [tag, moment] = [headers['etag'] ?? '', headers['last-modified'] ?? ''];
    for (const known of [{ 'If-None-Match': tag }, { 'If-Modified-Since': moment }]) {
      const response = await app.load(path, known);
      expect(response.status).toBe(304);
      expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
    expect((await app.load(path, { 'If-None-Match': '"another"' })).status).toBe(200);
    expect((await app.load(path, { 'If-Match': '"another"' })).status).toBe(412);
  });

  test('supports range requests', async () => {
    const response = await app.load(path, { Range: 'bytes=8-15' });
    expect(response.status).toBe(206);
    expect(response.headers['content-range']).toBe(`bytes 8-15/${bytes.length}`);
    expect(response.bytes.equals(bytes.subarray(8, 16))).toBe(true);
    const beyond = await app.load(path, { Range: 'bytes=9999999-' });
    expect(beyond.status).toBe(400);
    expect(JSON.parse(String(beyond.bytes))).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
  });

  test('is sent completely for requests of thousands of ranges', async () => {
    const apart = Array.from({ length: 1_200 }, (_, index) => `${index * 2}-${index * 2}`).join();
    const response = await app.load(path, { Range: `bytes=${apart}` });
    expect(response.status).toBe(200);
    expect(response.bytes.equals(bytes)).toBe(true);
    const same = await app.load(path, { Range: `bytes=${'0-,'.repeat(3_000)}0-` });
    expect([same.status, same.bytes.length]).toEqual([206, bytes.length]);
    const nonsense = await app.load(path, { Range: `bytes=${'-'.repeat(10_000)}` });
    expect([nonsense.status, nonsense.bytes.length]).toEqual([200, bytes.length]);
  });

  test('supports GET and HEAD only', async () => {
    const head = await app.load(path, {}, 'HEAD');
    expect([head.status, head.headers['content-length']]).toEqual([200, String(bytes.length)]);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await app.load(path, {}, method);
      expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD']);
    }
  });
});

describe('nothing else is served', () => {
  test('no listing, no other file type, nothing outside the folder', async () => {
    const folder = join(app.folders.UPLOADS_DIR, 'projects');
    await mkdir(join(folder, 'folder.png'), { recursive: true });
    for (const name of ['secret.txt', '.hidden.png', 'half.tmp', 'page.html', 'UPPER.png']) {
      await writeFile(join(folder, name), 'secret');
    }
    await writeFile(join(app.folders.UPLOADS_DIR, 'outside.png'), 'secret');

    const name = path.split('/').at(-1);
    const targets = [
      ...['/uploads', '/uploads/', '/uploads/projects', '/uploads/projects/', '/uploads/projects/.'],
      ...['secret.txt', '.hidden.png', 'half.tmp', 'page.html', 'UPPER.png', 'absent.png', 'folder.png'].map(inFolder),
      ...['../outside.png', '..%2foutside.png', '%2e%2e/outside.png', '%2e%2e%2foutside.png'].map(inFolder),
      ...['..\\outside.png', '..%5coutside.png', '..%5Coutside.png', '....//outside.png'].map(inFolder),
      ...['%2fetc%2fpasswd', '/etc/passwd', 'C:%5cwindows', '%252e%252e%252foutside.png'].map(inFolder),
      ...[`${name}%00`, `${name}%00.png`, '%00', `${name}/..`, `./${name}`, `${name}.`, `${name}%20`].map(inFolder),
      ...[`${'a'.repeat(300)}.png`, '*.png', '%E5%9B%BE.png'].map(inFolder),
    ];
    for (const target of targets) {
      const response = await app.load(target);
      expect([target, response.status]).toEqual([target, 404]);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(JSON.parse(String(response.bytes)).error.code).toBe('RESOURCE_NOT_FOUND');
    }
    for (const target of ['%', '%ff', '%c0%ae%c0%ae/outside.png'].map(inFolder)) {
      const { status, bytes: body } = await app.load(target);
      expect([400, 404]).toContain(status);
      expect(JSON.parse(String(body)).success).toBe(false);
    }
    expect((await app.load(path)).status).toBe(200);
  });

  function inFolder(name: string): string {
    return `/uploads/projects/${name}`;
  }
});
