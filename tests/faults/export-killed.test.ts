import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import tar from 'tar-stream';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { ask, signIn, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

const password = 'a password for kill -9';
const records = 500;

/** The files of an archive. */
async function filesOf(bytes: ArrayBuffer): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const extract = tar.extract();
  createGunzip().end(Buffer.from(bytes)).pipe(extract);
  for await (const entry of extract) files.set(entry.header.name, (await buffer(entry)).toString());
  return files;
}

test('after kill -9 during a personal export, the next process writes the complete export', async () => {
  const postgres = await startPostgres();
  const folder = await temporaryFolder();
  const settings = {
    DATABASE_URL: postgres.url,
    JWT_SECRET: 'a secret that both processes of this test have 0123456789',
    UPLOADS_DIR: `${folder}/shared-uploads`,
    ADMIN_PASSWORD: password,
  };
  const killed = await startServiceProcess(folder, settings);
  const token = await signIn(killed.origin, 'admin', password);
  await postgres.query(
    `WITH project AS (INSERT INTO projects (name, user_id) SELECT 'Long', id FROM users RETURNING id, user_id)
     INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
     SELECT p.user_id, p.user_id, p.id, t, t + interval '1 minute', 'Record ' || n, 'manual', 'UTC'
     FROM project p, generate_series(1, ${records}) n, LATERAL (SELECT timestamptz '2020-01-01' + n * interval '1 hour' AS t) AS at`,
  );

  // Blocks the export in the middle of the archive, where it reads the records.
  const blocking = new pg.Client(postgres.url);
  await blocking.connect();
  onTestFinished(() => blocking.end());
  await blocking.query('BEGIN; LOCK TABLE study_sessions IN ACCESS EXCLUSIVE MODE');
  expect((await ask(killed.origin, 'POST', '/api/me/export', { token })).status).toBe(202);
  const waiting = `SELECT FROM pg_locks WHERE relation = 'study_sessions'::regclass AND NOT granted`;
  await expect.poll(() => postgres.query(waiting), { timeout: 120_000, interval: 50 }).toHaveLength(1);
  killed.kill('SIGKILL');
  await killed.ended;
  await blocking.query('ROLLBACK');
  const jobs = () => postgres.query(`SELECT claims FROM background_jobs WHERE kind = 'personal_export'`);
  expect(await jobs()).toEqual([{ claims: 1 }]);

  // The killed process's lease would end in ten minutes.
  await postgres.query(`UPDATE background_jobs SET next_at = now() WHERE kind = 'personal_export'`);
  const { origin } = await startServiceProcess(folder, settings);
  const state = async () => (await ask(origin, 'GET', '/api/me/export', { token })).body.data?.['state'];
  await expect.poll(state, { timeout: 120_000, interval: 200 }).toBe('ready');
  expect(await jobs()).toEqual([]);
  const response = await fetch(`${origin}/api/me/export/file`, { headers: { Authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  const files = await filesOf(await response.arrayBuffer());
  const exported: { note: string }[] = JSON.parse(files.get('records.json') ?? '');
  expect(new Set(exported.map(({ note }) => note)).size).toBe(records);
  expect(files.get('records.csv')?.trim().split('\n')).toHaveLength(records + 1);
  expect(JSON.parse(files.get('manifest.json') ?? '')).toMatchObject({ format: 1, images_left_out: [] });
}, 400_000);
