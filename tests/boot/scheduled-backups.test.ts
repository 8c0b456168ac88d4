import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { startServiceProcess, temporaryFolder } from '../support/service-process.ts';

test('of two services with two processes each, one process writes a backup whenever one is due', async () => {
  const folder = await temporaryFolder();
  const backups = path.join(folder, 'backups');
  const db = await createTestDatabase();
  onTestFinished(db.drop);
  const settings = {
    ...{ DATABASE_URL: db.url, JWT_SECRET: 'what the tests sign with and long enough for it', WEB_CONCURRENCY: '2' },
    ...{ BACKUP_SCHEDULE: '6h', BACKUP_TO: backups, UPLOADS_DIR: path.join(folder, 'uploads') },
  };
  const start = async (name: string) => {
    await mkdir(path.join(folder, name));
    return startServiceProcess(path.join(folder, name), settings);
  };
  const services = await Promise.all(['a', 'b'].map(start));
  const logged = (message: string) =>
    services.flatMap(({ written }) => [...written.stdout.matchAll(RegExp(`^.*"msg":"${message}.*$`, 'gm'))]).length;
  const written = () => logged('backup written');
  await expect.poll(written).toBe(1);

  // Each process checks twice a minute whether one is due, and so again whatever the others wrote before.
  for (const count of [2, 3]) {
    await db.sql.query(`UPDATE backup_status SET started_at = started_at - interval '6 hours'`);
    await expect.poll(written).toBe(count);
  }
  for (const { kill } of services) kill('SIGTERM');
  expect(await Promise.all(services.map(({ ended }) => ended))).toEqual([0, 0]);
  expect([written(), logged('backup failed')]).toEqual([3, 0]);
  expect(await readdir(backups)).toHaveLength(3);
});
