import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLocalStorage } from '../../src/lib/storage/local-storage.ts';
import type { Storage } from '../../src/lib/storage/storage.ts';
import { bytesOf, describeStorage, namesIn } from '../support/storage-behaviour.ts';

describe('local storage', () => {
  let parent: string;
  let folder: string;
  let storage: Storage;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'storage-local-'));
    folder = join(parent, 'uploads', 'projects');
    storage = createLocalStorage(folder);
  });
  afterEach(() => rm(parent, { recursive: true }));

  describeStorage(() => storage);

  test('a file is visible only when it is complete', async () => {
    const source = join(parent, 'source');
    const bytes = randomBytes(40_000_000);
    await writeFile(source, bytes);
    let done = false;
    let polls = 0;
    const putting = storage.put('large.png', source, 'image/png').finally(() => {
      done = true;
    });
    while (!done) {
      const file = await storage.open('large.png');
      file?.stream.destroy();
      if (file !== undefined) expect(file.size).toBe(bytes.length);
      polls += 1;
      await setImmediate();
    }
    await putting;
    expect(polls).toBeGreaterThan(1);
    expect(await readdir(folder)).toEqual(['large.png']);
  });

  test('a failed put leaves no partial file', async () => {
    const source = join(parent, 'source');
    await writeFile(source, 'x');
    // A folder with the name of the target makes the final rename fail.
    await mkdir(join(folder, 'taken.png'), { recursive: true });
    await expect(storage.put('taken.png', source, 'image/png')).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['taken.png']);
  });

  test('a partial file of a killed process is listed, so that it can be deleted', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, '0b9d3f0e-8c2c-4f0e-9b39-2f1f6f1c8f11.tmp'), 'half');
    const [left = ''] = await namesIn(storage);
    expect(left).toMatch(/\.tmp$/);
    await storage.delete(left);
    expect(await readdir(folder)).toEqual([]);
  });

  test('folders, hidden files and files with other names are neither listed nor opened', async () => {
    await mkdir(join(folder, 'folder.png'), { recursive: true });
    await writeFile(join(folder, '.gitkeep'), '');
    await writeFile(join(folder, 'Read Me.txt'), '');
    expect(await namesIn(storage)).toEqual([]);
    expect(await storage.open('folder.png')).toBeUndefined();
    expect(await storage.open('.gitkeep')).toBeUndefined();
  });

  test('no file outside the folder is accessed', async () => {
    const outside = join(parent, 'uploads', 'outside.png');
    await mkdir(folder, { recursive: true });
    await writeFile(outside, 'secret');
    expect(await storage.open('../outside.png')).toBeUndefined();
    await storage.delete('../outside.png');
    expect(await readFile(outside, 'utf8')).toBe('secret');
  });

  test('a destroyed stream closes its file', async () => {
    const source = join(parent, 'source');
    await writeFile(source, randomBytes(1_000_000));
    await storage.put('destroyed.png', source, 'image/png');
    const open = async () => (await readdir('/proc/self/fd')).length;
    const before = await open();
    for (let turn = 0; turn < 50; turn += 1) {
      const file = await storage.open('destroyed.png');
      await new Promise((closed) => file?.stream.once('close', closed).destroy());
    }
    expect(await open()).toBeLessThanOrEqual(before + 1);
  });

  test('has no public URLs and stores empty files', async () => {
    const source = join(parent, 'source');
    await writeFile(source, '');
    await storage.put('empty.gif', source, 'image/gif');
    expect((await bytesOf(storage, 'empty.gif'))?.length).toBe(0);
    expect(storage.publicUrl('empty.gif')).toBeUndefined();
  });
});
