import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Storage } from '../../src/lib/storage/storage.ts';

export async function namesIn(storage: Storage): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of storage.list()) names.push(name);
  return names.sort();
}

export async function bytesOf(storage: Storage, name: string): Promise<Buffer | undefined> {
  const file = await storage.open(name);
  return file === undefined ? undefined : buffer(file.stream);
}

/** The behaviour of every storage. `storage` is called inside the tests and is initially empty. */
export function describeStorage(storage: () => Storage) {
  let folder: string;
  const source = async (bytes: Buffer) => {
    const path = join(folder, 'source');
    await writeFile(path, bytes);
    return path;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'storage-source-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  describe('any storage', () => {
    test('is initially empty', async () => {
      expect(await namesIn(storage())).toEqual([]);
      expect(await storage().open('absent.png')).toBeUndefined();
      await storage().delete('absent.png');
    });

    test.each([6_000_000, 20_000_000])('returns %i stored bytes with their size and time', async (size) => {
      const bytes = randomBytes(size);
      const before = Date.now();
      await storage().put('same-bytes.png', await source(bytes), 'image/png');

      const file = await storage().open('same-bytes.png');
      if (file === undefined) throw new Error('the file is missing');
      expect(file.size).toBe(bytes.length);
      expect(Math.abs(file.modifiedAt.getTime() - before)).toBeLessThan(60_000);
      expect((await buffer(file.stream)).equals(bytes)).toBe(true);
      await storage().delete('same-bytes.png');
    });

    test('lists each file with its time until it is deleted', async () => {
      await storage().put('first.png', await source(Buffer.from('1')), 'image/png');
      await storage().put('second.gif', await source(Buffer.from('2')), 'image/gif');
      expect(await namesIn(storage())).toEqual(['first.png', 'second.gif']);
      for await (const { modifiedAt } of storage().list()) {
        expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
      }

      await storage().delete('first.png');
      await storage().delete('first.png');
      expect(await namesIn(storage())).toEqual(['second.gif']);
      expect(await storage().open('first.png')).toBeUndefined();
      await storage().delete('second.gif');
    });

    test('stores nothing if the source cannot be read', async () => {
      await expect(storage().put('lost.png', join(folder, 'no such file'), 'image/png')).rejects.toThrow('ENOENT');
      expect(await namesIn(storage())).toEqual([]);
    });

    test.each([
      '../out.png',
      '..',
      '.',
      '',
      'a/b.png',
      'a\\b.png',
      '/etc/passwd',
      '.hidden.png',
      'A.png',
      'a b.png',
      'a.png\0',
      '%2e%2e.png',
      'noextension',
    ])('rejects %j as a name', async (name) => {
      await expect(storage().put(name, await source(Buffer.from('x')), 'image/png')).rejects.toThrow(
        'not a storage name',
      );
      expect(await storage().open(name)).toBeUndefined();
      await storage().delete(name);
      expect(await namesIn(storage())).toEqual([]);
    });
  });
}
