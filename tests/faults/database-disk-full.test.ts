import { execFile, execFileSync } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { loadSettings, startLoad } from '../support/load.ts';
import { expectNothingLost, failures, unavailable, watchBatches } from '../support/load-outcome.ts';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { ask, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

const run = promisify(execFile);
const canMount = tryMount();

function tryMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', os.tmpdir()], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // not root, or a container without the privilege
  }
}

/** A file system of that many megabytes. */
async function mountSmallDisk(megabytes: number, owner: { uid: number; gid: number } | undefined): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder]);
  onTestFinished(async () => {
    await run('umount', ['--lazy', folder]);
    await rm(folder, { recursive: true });
  });
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
  return folder;
}

test.skipIf(!canMount)(
  `when the database's disk is full, writes return 503 and reads succeed; writes succeed again once there is space${canMount ? '' : ' (skipped: cannot mount a file system)'}`,
  async () => {
    const postgres = await startPostgres();
    const disk = await mountSmallDisk(40, postgres.cluster.account);
    await postgres.query(`CREATE TABLESPACE small LOCATION '${disk}'`, 'postgres');
    await postgres.query('ALTER DATABASE studytrack SET TABLESPACE small', 'postgres');
    const service = await startServiceProcess(await temporaryFolder(), { DATABASE_URL: postgres.url, ...loadSettings });
    const load = await startLoad(() => service.origin);
    const watch = watchBatches(load, postgres);
    await load.untilAcknowledged();

    await postgres.query('CREATE TABLE ballast (bytes text STORAGE PLAIN)');
    const fill = `INSERT INTO ballast SELECT repeat('x', 2000) FROM generate_series(1, 300)`;
    while (
      await postgres.query(fill).then(
        () => true,
        () => false,
      )
    );
    const full = Date.now();
    const rejected = () => load.attempts.filter(({ at, status }) => at > full && status === 503);
    const keepFull = setInterval(() => void postgres.query(fill).catch(() => undefined), 20);
    await expect.poll(() => rejected().length).toBeGreaterThan(5);
    const [reader] = load.students;
    expect((await ask(service.origin, 'GET', '/api/projects', { token: reader?.token ?? '' })).status).toBe(200);
    clearInterval(keepFull);
    await postgres.query('DROP TABLE ballast');

    await load.untilAcknowledged();
    await load.stop();
    expect(failures(load)).toEqual([unavailable]);
    await expectNothingLost(load, postgres);
    expect(await watch()).toMatchObject({ partial: 0 });
  },
);
