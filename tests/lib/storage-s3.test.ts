import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backupName, openBackupTarget } from '../../src/features/operations/backups/backup-target.ts';
import { openImageStorage, openStorage } from '../../src/lib/storage/open-storage.ts';
import { createS3Storage, parseStorageUrl } from '../../src/lib/storage/s3-storage.ts';
import { UnavailableError } from '../../src/texts/errors.ts';
import { type S3Server, startS3Server } from '../support/servers/s3-server.ts';
import { describeStorage, namesIn } from '../support/storage-behaviour.ts';

const cacheControl = 'public, max-age=31536000, immutable';

describe('the storage URL', () => {
  test('contains an endpoint, a bucket, a region and the credentials', () => {
    expect(parseStorageUrl('s3://key:secret@s3.example.org/covers?region=eu-west-1')).toEqual({
      endpoint: 'https://s3.example.org',
      bucket: 'covers',
      region: 'eu-west-1',
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    });
  });

  test('may have a port, an IPv6 address, plain HTTP and no region', () => {
    expect(parseStorageUrl('s3+http://key:secret@[::1]:9000/covers/')).toMatchObject({
      endpoint: 'http://[::1]:9000',
      bucket: 'covers',
      region: 'us-east-1',
    });
  });

  test('accepts any percent-encoded secret', () => {
    const secret = 'a/b+c=d:e@f%g?h#i';
    const { credentials } = parseStorageUrl(`s3://key:${encodeURIComponent(secret)}@s3.example.org/covers`);
    expect(credentials.secretAccessKey).toBe(secret);
  });

  test.each([
    ['https://key:hidden@s3.example.org/covers', 'must begin with s3:// or s3+http://'],
    ['s3://key:hid/den@s3.example.org/covers', 'percent-encoded'],
    ['s3://key:hidden%zz@s3.example.org/covers', 'needs a key and a secret'],
    ['s3://s3.example.org/covers', 'needs a key and a secret'],
    ['s3://key@s3.example.org/covers', 'needs a key and a secret'],
    ['s3://key:hidden@s3.example.org', 'needs the name of a bucket'],
    ['s3://key:hidden@s3.example.org/Not_A_Bucket', 'bucket name that is not allowed'],
    ['s3://key:hidden@s3.example.org/b', '3 to 63 of a-z'],
    ['s3://key:hidden@s3.example.org/covers/folder', 'without a folder'],
    ['s3://key:hidden@s3.example.org/covers?ssl=false', 'unknown parameter "ssl"'],
    ['s3://key:hidden@s3.example.org:99999/covers', 'cannot be read'],
    ['', 'must begin with s3://'],
  ])('%j is rejected: %s', (url, reason) => {
    expect(() => parseStorageUrl(url)).toThrow(reason);
    expect(() => parseStorageUrl(url)).not.toThrow(/hid/);
    expect(() => createS3Storage({ url, folder: 'projects', cacheControl })).toThrow(reason);
  });
});

describe('S3 storage', () => {
  const bucket = 'covers';
  let folder: string;
  let source: string;
  let server: S3Server;
  const urlOf = ({ key = server.accessKey, name = bucket } = {}) =>
    `s3+http://${key}:${server.secret}@127.0.0.1:${server.port}/${name}`;
  const storageIn = (area: string) => createS3Storage({ url: urlOf(), folder: area, cacheControl });

  beforeAll(async () => {
    server = await startS3Server(bucket);
    folder = await mkdtemp(join(tmpdir(), 'storage-s3-'));
    source = join(folder, 'source');
    await writeFile(source, 'picture');
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  describeStorage(() => storageIn('projects'));

  test('only pictures may be kept by caches, backups and exports by nobody', async () => {
    const settings = { uploadsDir: folder, storageUrl: urlOf() };
    const cachedAs = async (name: string) =>
      (await fetch(`http://127.0.0.1:${server.port}/${bucket}/${name}`)).headers.get('cache-control');
    await openImageStorage(settings).put('a.webp', source, 'image/webp');
    expect(await cachedAs('projects/a.webp')).toBe(cacheControl);
    await openImageStorage(settings).delete('a.webp');
    await openStorage(settings, 'exports').put('a.zip', source, 'application/zip');
    expect(await cachedAs('exports/a.zip')).toBe('private, no-store');
    const name = backupName(new Date());
    await openBackupTarget({ to: urlOf(), dataDir: folder }).store(name, (path) => writeFile(path, 'backup'));
    expect(await cachedAs(`backups/${name}`)).toBe('private, no-store');
  });

  test('stores files under its folder, with content type and cache lifetime', async () => {
    await storageIn('elsewhere').put('typed.webp', source, 'image/webp');
    const response = await fetch(`http://127.0.0.1:${server.port}/${bucket}/elsewhere/typed.webp`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('picture');
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await namesIn(storageIn('projects'))).toEqual([]);
  });

  test('lists more than one page of files', async () => {
    const names = Array.from({ length: 1_005 }, (_, index) => `file-${index}.png`);
    await Promise.all(names.map((name) => server.add(`many/${name}`)));
    expect(await namesIn(storageIn('many'))).toEqual(names.sort());
  });

  test('an unreachable store throws UnavailableError with its cause', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((ready) => closed.once('listening', ready));
    const address = closed.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    await new Promise((done) => closed.close(done));

    const storage = createS3Storage({
      url: `s3+http://k:s@127.0.0.1:${address.port}/${bucket}`,
      folder: 'projects',
      cacheControl,
    });
    const failure = await storage.open('a.png').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnavailableError);
    expect(failure).toHaveProperty('cause.code', 'ECONNREFUSED');
    await expect(storage.put('a.png', source, 'image/png')).rejects.toThrow(UnavailableError);
  });

  test('a wrong key or bucket throws the error of the store', async () => {
    const wrongKey = createS3Storage({ url: urlOf({ key: 'STRANGER' }), folder: 'projects', cacheControl });
    await expect(wrongKey.open('a.png')).rejects.toMatchObject({ name: 'InvalidAccessKeyId' });
    const wrongBucket = createS3Storage({ url: urlOf({ name: 'nothing-here' }), folder: 'projects', cacheControl });
    await expect(wrongBucket.open('a.png')).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });

  test('has public URLs if their base is configured', () => {
    const options = { url: urlOf(), folder: 'projects', cacheControl };
    expect(createS3Storage(options).publicUrl('a.png')).toBeUndefined();
    const open = createS3Storage({ ...options, publicUrl: 'https://cdn.example.org/covers/' });
    expect(open.publicUrl('a.png')).toBe('https://cdn.example.org/covers/projects/a.png');
  });
});
