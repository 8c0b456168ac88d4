import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express, { type ErrorRequestHandler } from 'express';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileReceiver, type Received } from '../../src/http/upload.ts';
import { ValidationError } from '../../src/texts/errors.ts';
import { multipart, postForm } from '../support/multipart.ts';

let parent: string;
let folder: string;
let server: Server;
let received: (Received & { text: string; mode: number }) | undefined;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'upload-'));
  folder = join(parent, 'data', 'incoming');
  received = undefined;
  const receive = createFileReceiver({ folder });
  const app = express();
  app.post('/', async (request, response) => {
    const upload = await receive(request, response, { field: 'file', maxBytes: 100 });
    received = {
      ...upload,
      text: await readFile(upload.file.path, 'utf8'),
      mode: (await stat(upload.file.path)).mode & 0o777,
    };
    response.json({});
  });
  const handleError: ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error instanceof ValidationError ? 400 : 500).json({ text: String(error) });
  };
  app.use(handleError);
  await new Promise<void>((resolve) => {
    server = app.listen(0, '127.0.0.1', () => resolve());
  });
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(parent, { recursive: true });
});

const post = (...parts: Parameters<typeof multipart>) =>
  postForm(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, undefined, multipart(...parts));

test('returns the file with its name and size, and the other fields as text', async () => {
  const response = await post(
    { name: 'dry_run', data: 'true' },
    { name: 'file', filename: '学习 "记录".csv'.replaceAll('"', '%22'), data: 'id,小时\n1,2' },
    { name: 'note', data: '' },
  );
  expect(response.status).toBe(200);
  expect(received?.file).toMatchObject({ size: 13, originalName: '学习 "记录".csv' });
  expect(received?.text).toBe('id,小时\n1,2');
  expect(received?.fields).toEqual({ dry_run: 'true', note: '' });
});

test('stores the file where no other user can read it', async () => {
  expect(await post({ name: 'file', filename: '../../a.csv', data: 'x' })).toMatchObject({ status: 200 });
  expect(received?.file.path.startsWith(`${folder}/`)).toBe(true);
  expect(received?.mode).toBe(0o600);
  for (const path of [folder, join(parent, 'data')]) expect((await stat(path)).mode & 0o777).toBe(0o700);
});

test('accepts at most `maxBytes` bytes', async () => {
  expect(await post({ name: 'file', filename: 'a', data: 'x'.repeat(100) })).toMatchObject({ status: 200 });
  expect(received?.file.size).toBe(100);
  expect(await post({ name: 'file', filename: 'a', data: 'x'.repeat(101) })).toMatchObject({ status: 400 });
  expect(await post({ name: 'file', filename: 'a', data: '' })).toMatchObject({ status: 200 });
  expect(received?.file.size).toBe(0);
  expect(await readdir(folder)).toHaveLength(2);
});

test('recreates its folder if it was deleted', async () => {
  expect(await post({ name: 'file', filename: 'a', data: 'x' })).toMatchObject({ status: 200 });
  await rm(folder, { recursive: true });
  expect(await post({ name: 'file', filename: 'a', data: 'y' })).toMatchObject({ status: 200 });
  expect(received?.text).toBe('y');
});

test('accepts a boundary of 70 characters, rejects one of hundreds, and limits parts without a name', async () => {
  const send = (boundary: string, nameless: number) => {
    const disposition = 'Content-Disposition: form-data; name="file"; filename="a"';
    const parts = [...Array<string>(nameless).fill('X: y\r\n\r\n\r\n'), `${disposition}\r\n\r\nx\r\n`];
    const body = Buffer.from(`${parts.map((part) => `--${boundary}\r\n${part}`).join('')}--${boundary}--\r\n`);
    const { port } = server.address() as AddressInfo;
    const type = `multipart/form-data; boundary=${boundary}`;
    return postForm(`http://127.0.0.1:${port}/`, undefined, { type, body });
  };
  expect(await send('B'.repeat(70), 0)).toMatchObject({ status: 200 });
  expect(await send('B'.repeat(300), 0)).toMatchObject({ status: 400 });
  expect(await send('B', 5)).toMatchObject({ status: 200 });
  expect(await send('B', 50)).toMatchObject({ status: 400 });
  expect(await readdir(folder)).toHaveLength(2);
});
