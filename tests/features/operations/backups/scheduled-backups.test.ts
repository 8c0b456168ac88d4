import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../../../../src/boot/composition/database.ts';
import { alone } from '../../../../src/db/backup/archive.ts';
import { readBackup } from '../../../../src/db/backup/read.ts';
import { openBackupTarget } from '../../../../src/features/operations/backups/backup-target.ts';
import { createScheduledBackups } from '../../../../src/features/operations/backups/scheduled-backups.ts';
import { createLogger } from '../../../../src/lib/log/logger.ts';
import { parseSchedule, type Schedule } from '../../../../src/lib/schedule.ts';
import { openImageStorage } from '../../../../src/lib/storage/open-storage.ts';
import { createTestDatabase } from '../../../support/database.ts';
import { type ImageApp, startImageApp } from '../../../support/image-app.ts';
import { startS3Server } from '../../../support/servers/s3-server.ts';
import { createTestClock } from '../../../support/test-app.ts';

const hour = 3_600_000;
const clock = createTestClock();
const sixHours = parseSchedule('6h') as Schedule;
let app: ImageApp;
let folder: string;
let log: Record<string, unknown>[];
beforeEach(async () => {
  clock.set('2026-02-01T08:00:00Z');
  app = await startImageApp({ clock });
  folder = path.join(app.folders.DATA_DIR, 'backups');
  log = [];
});
afterEach(() => app.stop());

/** The backups of one process; all share the database. */
function createProcess({ keep = 2, to = folder } = {}) {
  const { config } = app.container;
  const backups = createScheduledBackups({
    ...{ url: app.databaseUrl, schedule: sixHours, keep, clock },
    target: openBackupTarget({ to, dataDir: config.dataDir }),
    images: openImageStorage(config.images),
    db: connect(app.database),
    logger: createLogger('info', { destination: { write: (line) => void log.push(JSON.parse(line)) } }),
  });
  return {
    ...backups,
    async run(): Promise<void> {
      await backups.job.run();
      await backups.idle();
    },
  };
}
const messages = () => log.map(({ msg }) => msg);

test('the first is written at once, then one when it is due; the newest are kept, and so is anything else', async () => {
  const { run } = createProcess();
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'studytrack.tar.gz'), 'by hand');
  await run();
  await run();
  clock.set('2026-02-01T11:59:59Z');
  await run();
  expect(await readdir(folder)).toEqual(['studytrack-2026-02-01t080000z.tgz', 'studytrack.tar.gz']);
  for (const moment of ['2026-02-01T12:00:10Z', '2026-02-01T18:00:00Z', '2026-02-03T09:00:00Z']) {
    clock.set(moment);
    await run();
  }
  expect(await readdir(folder)).toEqual([
    ...['studytrack-2026-02-01t180000z.tgz', 'studytrack-2026-02-03t090000z.tgz', 'studytrack.tar.gz'],
  ]);
  expect((await stat(path.join(folder, 'studytrack-2026-02-03t090000z.tgz'))).mode & 0o777).toBe(0o600);
  expect(messages()).toEqual(Array.from({ length: 4 }, () => 'backup written'));
});

test('it can be restored', async () => {
  const user = await app.createUser();
  await createProcess().run();
  const [name = ''] = await readdir(folder);
  const target = await createTestDatabase({ empty: true });
  await readBackup({ url: target.url, storeImage: async () => undefined, log: () => undefined }, () =>
    createReadStream(path.join(folder, name)),
  );
  expect(await target.sql.query('SELECT username FROM users')).toEqual([{ username: user.username }]);
  await target.drop();
});

test('of several processes one writes it', async () => {
  const processes = Array.from({ length: 4 }, () => createProcess({ keep: 10 }));
  await Promise.all(processes.map(({ run }) => run()));
  await Promise.all(processes.map(({ run }) => run()));
  clock.advance(6 * hour);
  await Promise.all(processes.map(({ run }) => run()));
  expect(await readdir(folder)).toHaveLength(2);
  expect(messages()).toEqual(['backup written', 'backup written']);
});

test('after one by a clock that was four years ahead, the next is due now', async () => {
  clock.set('2030-02-01T08:00:00Z');
  const backups = createProcess({ keep: 10 });
  await backups.run();
  clock.set('2026-02-01T08:00:00Z');
  expect((await backups.overview()).next_at).toBe('2026-02-01T08:00:00.000Z');
  await backups.run();
  expect(await readdir(folder)).toContain('studytrack-2026-02-01t080000z.tgz');
  expect((await backups.overview()).next_at).toBe('2026-02-01T12:00:00.000Z');
});

test('while another process writes one, none is written', async () => {
  const { run } = createProcess();
  await alone(app.databaseUrl, 'scheduled backup', run);
  expect(await readdir(folder).catch(() => [])).toEqual([]);
  await run();
  expect(await readdir(folder)).toHaveLength(1);
});

test('a target that fails is logged in words, shown and retried; old backups and metrics remain', async () => {
  const backups = createProcess({ keep: 1 });
  await backups.run();
  const kept = await readdir(folder);
  const content = await readFile(path.join(folder, kept[0] ?? ''));
  clock.advance(6 * hour);
  const broken = createProcess({ keep: 1, to: path.join(folder, kept[0] ?? '', 'below-a-file') });
  await broken.run();
  await broken.run(); // not yet
  expect(log.at(-1)).toMatchObject({ msg: 'backup failed; retrying', reason: expect.stringContaining('ENOTDIR') });
  expect(messages()).toEqual(['backup written', 'backup failed; retrying']);
  clock.advance(60_000);
  await broken.run();
  expect(await broken.overview()).toMatchObject({
    ...{ schedule: '6h', file: kept[0], failures: 2, error: expect.stringContaining('ENOTDIR') },
    next_at: new Date(clock().getTime() + 60_000).toISOString(),
  });
  expect(broken.overdueSeconds()).toBe((2 * hour) / 1000 + 60);
  expect(await readFile(path.join(folder, kept[0] ?? ''))).toEqual(content);

  clock.advance(60_000);
  await backups.run();
  expect(await backups.overview()).toMatchObject({ failures: 0, error: null, failed_at: null });
  expect(backups.overdueSeconds()).toBe(0);
  expect(await readdir(folder)).toHaveLength(1);
});

test('stopping the process interrupts it: no part remains, and it is no failure', async () => {
  await app.query(
    `INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
     SELECT 'Many', n || '@example.org', 'other', md5(n::text), '192.0.2.1', '', now(), now() FROM generate_series(1, 20000) n`,
  );
  const { job, idle, overview } = createProcess();
  await job.run();
  await job.stop?.();
  await idle();
  expect(await readdir(folder).catch(() => [])).toEqual([]);
  expect(await overview()).toMatchObject({ failures: 0, file: null });
  expect(log).toEqual([]);
});

test('to an S3-compatible store, from which the oldest are deleted', async () => {
  const server = await startS3Server('backups');
  const to = `s3+http://${server.accessKey}:${server.secret}@127.0.0.1:${server.port}/backups`;
  const { run, overview } = createProcess({ keep: 1, to });
  await mkdir(app.folders.DATA_DIR, { recursive: true });
  await run();
  clock.advance(6 * hour);
  await run();
  const { file, bytes } = await overview();
  const listed = await fetch(`http://127.0.0.1:${server.port}/backups?list-type=2`).then((found) => found.text());
  expect([...listed.matchAll(/<Key>(.*?)<\/Key><LastModified>.*?<Size>(\d+)/g)].map(([, ...found]) => found)).toEqual([
    [`backups/${file}`, String(bytes)],
  ]);
  expect(await readdir(app.folders.DATA_DIR)).not.toContain('backup.part');

  await server.stop();
  clock.advance(6 * hour);
  await run();
  expect(log.at(-1)).toMatchObject({ msg: 'backup failed; retrying', reason: 'connection refused (ECONNREFUSED)' });
});
