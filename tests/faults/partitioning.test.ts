import { expect, test } from 'vitest';
import { loadSettings, startLoad } from '../support/load.ts';
import { expectNothingLost, failures, responseTimeout, slowest } from '../support/load-outcome.ts';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { run, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

const triggers = `SELECT tgname, pg_get_triggerdef(oid) AS text FROM pg_trigger
  WHERE tgrelid = 'study_sessions'::regclass AND NOT tgisinternal ORDER BY tgname`;
const indexes = `SELECT i.relname, substring(pg_get_indexdef(x.indexrelid) FROM ' USING .*$') AS text
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
  WHERE x.indrelid = 'study_sessions'::regclass AND i.relname NOT IN ('study_sessions_pkey', 'study_sessions_id_idx',
    'study_sessions_no_overlap') ORDER BY i.relname`;

test('partitioning study records under load survives kill -9 without losing records, triggers or indexes', async () => {
  const postgres = await startPostgres();
  const settings = { DATABASE_URL: postgres.url, ...loadSettings };
  const { origin } = await startServiceProcess(await temporaryFolder(), settings);
  const load = await startLoad(() => origin);
  const [before, indexesBefore] = [await postgres.query(triggers), await postgres.query(indexes)];
  // Enough records that copying takes a while, of a separate user, because the records of the load are counted.
  const [{ id = 0 } = {}] = await postgres.query<{ id: number }>(`
    INSERT INTO users (username, display_name, email, password_hash, role)
    VALUES ('old', 'Old', 'old@example.org', '', 'user') RETURNING id::int`);
  const [project] = await postgres.query<{ id: number }>(
    `INSERT INTO projects (user_id, name) VALUES (${id}, 'Algebra') RETURNING id::int`,
  );
  await postgres.query(`
    INSERT INTO study_sessions (project_id, user_id, owner_id, started_at, ended_at, source, time_zone)
    SELECT ${project?.id}, ${id}, ${id}, day, day + interval '30 minutes', 'manual', 'UTC'
    FROM generate_series(timestamptz '2001-01-01', '2026-01-01', interval '6 hours') AS day`);

  const command = async () =>
    run('src/cli/main.ts', await temporaryFolder(), settings, ['sessions:partition', '--parts', '8', '--chunk', '50']);
  await load.untilAcknowledged();
  for (const moment of [/created 8 partitions/, /\d+ % copied/]) {
    const killed = await command();
    await killed.seen(moment);
    killed.kill('SIGKILL');
    await killed.ended;
    await load.untilAcknowledged();
  }
  const last = await command();
  const code = await last.ended;
  expect({ code, stderr: last.written.stderr }).toEqual({ code: 0, stderr: '' });
  expect(last.written.stdout).toMatch(/study_sessions is partitioned\.\n$/);
  await load.untilAcknowledged();
  await load.stop();

  expect(failures(load)).toEqual([]);
  expect(slowest(load)).toBeLessThan(responseTimeout);
  await postgres.query(`DELETE FROM study_sessions WHERE user_id = ${id}`);
  await expectNothingLost(load, postgres);
  expect(await postgres.query(triggers)).toEqual(before);
  expect(await postgres.query(indexes)).toEqual(indexesBefore);
  expect(await postgres.query(`SELECT relkind FROM pg_class WHERE relname = 'study_sessions'`)).toEqual([
    { relkind: 'p' },
  ]);
});
