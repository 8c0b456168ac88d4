import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { expectInvariants } from '../support/invariants.ts';
import { loadSettings } from '../support/load.ts';
import { strongSecret } from '../support/secrets.ts';
import { ask, signIn, startServiceProcess, temporaryFolder } from '../support/service-process.ts';
import { recoveryTest, startArchivedPostgres } from './archived-postgres.ts';

const title = 'point-in-time recovery restores everything before a mistake and nothing after it';

recoveryTest(title, async () => {
  const postgres = await startArchivedPostgres();
  const settings = {
    ...loadSettings,
    DATABASE_URL: postgres.url,
    JWT_SECRET: strongSecret,
  };
  const query = async <Row extends object>(text: string): Promise<Row[]> => {
    const client = new pg.Client(postgres.url);
    await client.connect();
    return client
      .query(text)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  };
  const service = await startServiceProcess(await temporaryFolder(), settings);
  const { origin } = service;
  const admin = await signIn(origin, 'admin', loadSettings.ADMIN_PASSWORD);
  const lin = { username: 'lin', email: 'lin@example.org', password: 'a good password' };
  await ask(origin, 'POST', '/api/admin/users', { token: admin, body: lin });
  const token = await signIn(origin, lin.username, lin.password);
  const create = async (name: string) => {
    const { status, body } = await ask(origin, 'POST', '/api/projects', { token, body: { name } });
    expect(status).toBe(201);
    return Number(body.data?.['id']);
  };
  const record = async (project: number, day: number) => {
    const body = { started_at: `2026-11-0${day}T08:00:00Z`, ended_at: `2026-11-0${day}T09:30:00Z` };
    expect((await ask(origin, 'POST', `/api/projects/${project}/sessions`, { token, body })).status).toBe(201);
  };

  const [first, mistaken] = [await create('In the full backup'), await create('Deleted by mistake')];
  await record(mistaken, 1);
  postgres.pgbackrest('stanza-create');
  postgres.pgbackrest('--type=full', 'backup');
  await record(mistaken, 2);
  await create('In the incremental backup');
  postgres.pgbackrest('--type=incr', 'backup');
  await record(first, 3);
  await create('In the log only');

  // The target is in whole seconds, as an operator reads it from a log, and must lie between two commits.
  await delay(1100);
  const [{ moment = '' } = {}] = await query<{ moment: string }>(`SELECT date_trunc('second', now())::text AS moment`);
  await delay(1100);
  expect((await ask(origin, 'DELETE', `/api/projects/${mistaken}`, { token })).status).toBe(200);
  await query('DELETE FROM study_sessions');
  await create('After the mistake');
  await query('SELECT pg_switch_wal()');
  service.kill('SIGTERM');
  await service.ended;

  postgres.stop();
  postgres.pgbackrest('--delta', '--type=time', `--target=${moment}`, '--target-action=promote', 'restore');
  postgres.start();
  await expect.poll(() => query('SELECT pg_is_in_recovery() AS busy')).toEqual([{ busy: false }]);

  const again = await startServiceProcess(await temporaryFolder(), settings);
  const listed = await ask(again.origin, 'GET', '/api/projects?sort=created_at&order=asc', { token });
  const projects = listed.body.data?.['projects'] as { name: string; current_hours: number }[];
  expect(projects.map(({ name, current_hours }) => [name, current_hours]).sort()).toEqual([
    ['Deleted by mistake', 3],
    ['In the full backup', 1.5],
    ['In the incremental backup', 0],
    ['In the log only', 0],
  ]);
  await expectInvariants({ query });
  expect((await ask(again.origin, 'POST', '/api/projects', { token, body: { name: 'Goes on' } })).status).toBe(201);
});
