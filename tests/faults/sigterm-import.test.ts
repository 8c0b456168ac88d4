import { expect, test } from 'vitest';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { signIn, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

const password = 'a password for the signal';
const start = Date.UTC(2020, 0, 1);
const moment = (halfHours: number) => new Date(start + halfHours * 1_800_000).toISOString();
const rows = Array.from({ length: 40_000 }, (_, n) => `Chemistry ${n % 5},${moment(n)},${moment(n + 1)}`);
const file = ['project,started_at,ended_at', ...rows].join('\n');

/** An import into a new service, until some of its records are written. */
async function beginImport(settings: NodeJS.ProcessEnv = {}, records = 500) {
  const postgres = await startPostgres();
  const folder = await temporaryFolder();
  const all = {
    DATABASE_URL: postgres.url,
    JWT_SECRET: 'a secret that both processes of this test have 0123456789',
    ADMIN_PASSWORD: password,
    ...settings,
  };
  const service = await startServiceProcess(folder, all);
  const token = await signIn(service.origin, 'admin', password);
  const form = new FormData();
  form.set('dry_run', 'false');
  form.set('create_projects', 'true');
  form.set('file', new Blob([file]), 'records.csv');
  const sending = { method: 'POST', body: form, headers: { Authorization: `Bearer ${token}` } };
  const response = fetch(`${service.origin}/api/sessions/import`, sending).then(
    async (answer) => ({ status: answer.status, body: await answer.json() }),
    () => 'closed' as const,
  );
  const state = async () =>
    (await postgres.query<{ state: string; imported: number }>('SELECT state, imported FROM session_imports'))[0];
  await expect
    .poll(async () => (await state())?.imported ?? 0, { timeout: 120_000, interval: 20 })
    .toBeGreaterThan(records);
  const left = async () =>
    postgres.query(`
      SELECT (SELECT count(*)::integer FROM study_sessions) AS sessions,
        (SELECT count(*)::integer FROM projects) AS projects,
        (SELECT count(*)::integer FROM session_import_rows) AS rows`);
  return { postgres, service, response, state, left, restart: () => startServiceProcess(folder, all) };
}

const nothing = [{ sessions: 0, projects: 0, rows: 0 }];

test('SIGTERM during an import: it is undone, its sender gets 503, and the service exits with code 0 in time', async () => {
  const { service, response, state, left } = await beginImport();
  const signalledAt = performance.now();
  service.kill('SIGTERM');
  expect(await response).toMatchObject({
    status: 503,
    body: { success: false, error: { code: 'SERVICE_UNAVAILABLE' } },
  });
  expect(await service.ended).toBe(0);
  expect(performance.now() - signalledAt).toBeLessThan(10_000);
  expect(await left()).toEqual(nothing);
  expect(await state()).toEqual({ state: 'undone', imported: 0 });
});

test('an import that cannot be undone within the shutdown is undone by the next start, which does not wait for its lease', async () => {
  const { postgres, service, response, state, left, restart } = await beginImport({ SHUTDOWN_TIMEOUT: '4' }, 1_500);
  // So that undoing it takes longer than half of the shutdown, on every machine.
  await postgres.query(
    `CREATE FUNCTION slow_deletion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END $$`,
  );
  await postgres.query('CREATE TRIGGER slow_deletion AFTER DELETE ON study_sessions EXECUTE FUNCTION slow_deletion()');
  service.kill('SIGTERM');
  const answer = await response;
  expect(answer === 'closed' ? 503 : answer.status).toBe(503);
  await service.ended;
  expect(await state()).toMatchObject({ state: 'undoing' });
  await postgres.query('DROP TRIGGER slow_deletion ON study_sessions');
  await restart();
  await expect.poll(state, { timeout: 40_000, interval: 100 }).toEqual({ state: 'undone', imported: 0 });
  expect(await left()).toEqual(nothing);
});
