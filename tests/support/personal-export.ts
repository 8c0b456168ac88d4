import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import tar from 'tar-stream';
import { expect } from 'vitest';
import type { TestApp, TestUser } from './test-app.ts';

/** Downloads a user's archive of all data and returns its files by name. */
export async function downloadExport(app: TestApp, user: TestUser): Promise<Map<string, Buffer>> {
  const response = await app
    .as(user)
    .get('/api/me/export/file')
    .buffer(true)
    .parse((stream, done) => {
      buffer(stream as unknown as Readable).then(
        (bytes) => done(null, bytes),
        (error: Error) => done(error, undefined),
      );
    })
    .expect(200);
  expect(response.headers['content-type']).toBe('application/gzip');
  expect(response.headers['cache-control']).toBe('no-store');
  const archive = new Map<string, Buffer>();
  const extract = Readable.from([response.body]).pipe(createGunzip()).pipe(tar.extract());
  for await (const entry of extract) archive.set(entry.header.name, await buffer(entry));
  return archive;
}
