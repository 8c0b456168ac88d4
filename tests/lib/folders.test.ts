import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../src/lib/folders.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-folders-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('a parent that another process creates meanwhile is no error', async () => {
  for (let round = 0; round < 20; round += 1) {
    const parent = path.join(await emptyFolder(), 'data');
    await Promise.all([makeFolder(path.join(parent, 'incoming'), 0o700), makeFolder(parent, 0o700)]);
    expect((await stat(parent)).mode & 0o777).toBe(0o700);
  }
});

test('a folder that cannot be created is an error', async () => {
  const file = path.join(await emptyFolder(), 'file');
  await writeFile(file, '');
  await expect(makeFolder(file)).rejects.toThrow('EEXIST');
  await expect(makeFolder(path.join(file, 'below'))).rejects.toThrow('ENOTDIR');
  await expect(makeFolder('/proc/nope')).rejects.toThrow('ENOENT');
});
