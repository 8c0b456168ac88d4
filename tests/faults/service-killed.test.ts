import { readdir, readFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { loadSettings, startLoad } from '../support/load.ts';
import { expectNothingLost, failures, watchBatches } from '../support/load-outcome.ts';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { startServiceProcess, temporaryFolder } from '../support/service-process.ts';

const names = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

test('after kill -9 of the service under load, no acknowledged write is lost, and batches and images are complete', async () => {
  const postgres = await startPostgres();
  const folder = await temporaryFolder();
  const incoming = path.join(folder, 'data/incoming');
  const start = () => startServiceProcess(folder, { DATABASE_URL: postgres.url, ...loadSettings });
  let service = await start();
  const load = await startLoad(() => service.origin, { images: true });
  const watch = watchBatches(load, postgres);

  for (let round = 0; round < 3; round += 1) {
    await load.untilAcknowledged();
    await expect.poll(() => names(incoming), { interval: 1 }).not.toEqual([]); // an upload is in progress
    service.kill('SIGKILL');
    await service.ended;
    // Other processes recognise files that the killed process received by their age only.
    const hourAgo = Date.now() / 1000 - 3600;
    for (const name of await names(incoming)) await utimes(path.join(incoming, name), hourAgo, hourAgo);
    service = await start();
  }
  await load.untilAcknowledged();
  await load.stop();

  expect(failures(load)).toEqual(['cut']);
  await expectNothingLost(load, postgres);
  expect(await watch()).toMatchObject({ partial: 0 });
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
