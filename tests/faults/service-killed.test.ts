import { readdir, readFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { loadSettings, startLoad } from '../support/load.ts';
import { expectNothingLost, refusals, watchBatches } from '../support/load-outcome.ts';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { startServiceProcess, temporaryFolder } from '../support/service-process.ts';

const names = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

test('kill -9 of the service under load: all that was answered is there, batches and images are whole', async () => {
  const postgres = await startPostgres();
  const folder = await temporaryFolder();
  const incoming = path.join(folder, 'data/incoming');
  const start = () => startServiceProcess(folder, { DATABASE_URL: postgres.url, ...loadSettings });
  let service = await start();
  const load = await startLoad(() => service.origin, { images: true });
  const watch = watchBatches(load, postgres);

  for (let round = 0; round < 3; round += 1) {
    await load.flows();
    await expect.poll(() => names(incoming), { interval: 1 }).not.toEqual([]); // an upload is under way
    service.kill('SIGKILL');
    await service.ended;
    // What the killed process had received is in nobody's hands any more, which others can tell by its age alone.
    const hourAgo = Date.now() / 1000 - 3600;
    for (const name of await names(incoming)) await utimes(path.join(incoming, name), hourAgo, hourAgo);
    service = await start();
  }
  await load.flows();
  await load.stop();

  expect(refusals(load)).toEqual(['cut']);
  await expectNothingLost(load, postgres);
  expect(await watch()).toMatchObject({ halves: 0 });
  expect(load.acknowledged.images).toBeGreaterThan(0);
  const rows = await postgres.query<{ image: string }>('SELECT image FROM projects WHERE image IS NOT NULL');
  expect(rows).toHaveLength(2);
  for (const { image } of rows) await expect(isWhole(path.join(folder, image))).resolves.toBe(true);
  const stored = path.join(folder, 'uploads/projects');
  for (const name of await names(stored)) {
    if (!name.endsWith('.tmp')) await expect(isWhole(path.join(stored, name))).resolves.toBe(true);
  }
  await expect.poll(() => names(incoming)).toEqual([]);
});

async function isWhole(file: string): Promise<boolean> {
  const { info } = await sharp(await readFile(file), { failOn: 'truncated' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return info.width === 60 && info.height === 45;
}
