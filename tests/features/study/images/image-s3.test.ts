import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../../src/config/config.ts';
import { listUnused, usedByProjects } from '../../../../src/features/study/images/image-storage.ts';
import { createS3Storage } from '../../../../src/lib/storage/s3-storage.ts';
import { type ImageApp, startImageApp } from '../../../support/image-app.ts';
import { noise } from '../../../support/pictures.ts';
import { type S3Server, startS3Server } from '../../../support/servers/s3-server.ts';
import { namesIn } from '../../../support/storage-behaviour.ts';
import type { TestUser } from '../../../support/test-app.ts';

let s3: S3Server;
let app: ImageApp;
let owner: TestUser;
let url: string;
beforeAll(async () => {
  s3 = await startS3Server('covers');
  url = `s3+http://${s3.accessKey}:${s3.secret}@127.0.0.1:${s3.port}/covers`;
  app = await startImageApp({ settings: { STORAGE_URL: url } });
  owner = await app.createUser();
});
afterAll(async () => {
  await app.stop();
  await s3.stop();
});

const inBucket = () => namesIn(createS3Storage({ url, folder: 'projects', cacheControl: 'no-store' }));
const picture = () => noise(60, 45).webp().toBuffer();

describe('images in a bucket', () => {
  test('are uploaded, served, replaced and deleted', async () => {
    const project = await app.createProject(owner);
    const { body: first } = await app.upload(owner, project, await picture()).expect(200);
    expect(first.data.image_url).toBe(`/uploads/projects/${first.data.filename}`);
    expect(await inBucket()).toEqual([first.data.filename]);
    expect(await app.stored()).toEqual([]);
    await expect.poll(app.incoming).toEqual([]);

    const served = await app.load(first.data.image_url);
    expect(served.status).toBe(200);
    const bytes = served.bytes;
    expect(served.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(bytes.toString('latin1', 8, 12)).toBe('WEBP');

    const { body: second } = await app.upload(owner, project, await picture()).expect(200);
    expect(await inBucket()).toEqual([second.data.filename]);
    expect((await app.load(first.data.image_url)).status).toBe(404);
    await app.as(owner).delete(`/api/projects/${project}/image`).expect(200);
    expect(await inBucket()).toEqual([]);
  });

  test('support conditional and HEAD requests', async () => {
    const { body } = await app.upload(owner, await app.createProject(owner), await picture()).expect(200);
    const { headers } = await app.load(body.data.image_url);
    const [tag, moment] = [headers['etag'] ?? '', headers['last-modified'] ?? ''];
    for (const known of [{ 'If-None-Match': tag }, { 'If-Modified-Since': moment }]) {
      const response = await app.load(body.data.image_url, known);
      expect([response.status, response.bytes.length]).toEqual([304, 0]);
    }
    const head = await app.load(body.data.image_url, {}, 'HEAD');
    expect([head.status, head.headers['content-length']]).toEqual([200, headers['content-length']]);
    for (const name of ['absent.png', '..%2fprojects%2fabsent.png', '%00.png']) {
      expect((await app.load(`/uploads/projects/${name}`)).status).toBe(404);
    }
  });

  test('are redirected to a public bucket', async () => {
    const settings = { STORAGE_URL: url, STORAGE_PUBLIC_URL: 'https://cdn.example.org/covers/' };
    const second = await startImageApp({ settings, databaseUrl: app.databaseUrl });
    const { body } = await second.upload(owner, await app.createProject(owner), await picture()).expect(200);
    const response = await second.load(body.data.image_url);
    expect(response.status).toBe(302);
    expect(response.headers['location']).toBe(`https://cdn.example.org/covers/projects/${body.data.filename}`);
    expect(response.headers['cache-control']).toBe('public, max-age=3600');
    expect((await second.load('/uploads/projects/..%2fabsent.png')).status).toBe(404);
    await second.stop();
  });
});

test('unused files are found in the bucket', async () => {
  const { body } = await app.upload(owner, await app.createProject(owner), await picture()).expect(200);
  const storage = createS3Storage({ url, folder: 'projects', cacheControl: 'no-store' });
  await storage.put('orphan.png', fileURLToPath(import.meta.url), 'image/png');
  const unused = async (before: Date) => {
    const names: string[] = [];
    for await (const name of listUnused(storage, before, usedByProjects(app.container.store))) names.push(name);
    return names;
  };
  const future = await unused(new Date(Date.now() + 3_600_000));
  expect(future).toContain('orphan.png');
  expect(future).not.toContain(body.data.filename);
  expect(await unused(new Date(Date.now() - 3_600_000))).toEqual([]);
});

test('while the store is down uploads fail without leftovers, and projects are still served', async () => {
  const nowhere = 's3+http://key:secret@127.0.0.1:1/covers';
  const second = await startImageApp({ settings: { STORAGE_URL: nowhere }, databaseUrl: app.databaseUrl });
  const project = await app.createProject(owner);
  const { body: before } = await app.upload(owner, project, await picture()).expect(200);

  const { headers } = await second.upload(owner, project, await picture()).expect(503);
  expect(headers['retry-after']).toBeDefined();
  await expect.poll(second.incoming).toEqual([]);
  expect((await second.load(before.data.image_url)).status).toBe(503);
  const { body } = await second.as(owner).get(`/api/projects/${project}`).expect(200);
  expect(body.data.image).toBe(before.data.image_url);
  // The row is updated; the file is left for pruning.
  await second.as(owner).delete(`/api/projects/${project}/image`).expect(200);
  expect(await app.imageOf(project)).toBeNull();
  expect(await inBucket()).toContain(before.data.filename);
  await second.stop();
});

test('an invalid storage URL is reported at startup, without its secret', () => {
  const start = () => readConfig({ STORAGE_URL: 's3://key:topsecret@host' });
  expect(start).toThrow(/^STORAGE_URL: .*s3:\/\/KEY:SECRET@host/);
  expect(start).not.toThrow(/topsecret/);
});
