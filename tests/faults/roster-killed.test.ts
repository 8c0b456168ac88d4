import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../support/servers/own-postgres.ts';
import { ask, signIn, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

const password = 'a password for kill -9';
const rows = 60;

test('after kill -9 while a roster is applied, the next process applies the rest, and nothing twice', async () => {
  const postgres = await startPostgres();
  const folder = await temporaryFolder();
  const secret = 'a secret that both processes of this test have 0123456789';
  const settings = { DATABASE_URL: postgres.url, JWT_SECRET: secret, ADMIN_PASSWORD: password };
  const killed = await startServiceProcess(folder, settings);
  const token = await signIn(killed.origin, 'admin', password);

  // Blocks the roster at the thirtieth account, whose name is being taken.
  const blocking = new pg.Client(postgres.url);
  await blocking.connect();
  onTestFinished(() => blocking.end());
  await blocking.query(
    `BEGIN; INSERT INTO users (username, email, display_name) VALUES ('pupil30', 'other@school.test', 'Other')`,
  );
  const lines = Array.from({ length: rows }, (_, n) => `pupil${n},pupil${n}@school.test,,P${n},Class ${n % 3}`);
  const form = new FormData();
  form.set('dry_run', 'false');
  form.set('file', new Blob([['username,email,display_name,external_id,group', ...lines].join('\n')]), 'roster.csv');
  const sent = await fetch(`${killed.origin}/api/admin/roster`, {
    ...{ method: 'POST', body: form, headers: { Authorization: `Bearer ${token}` } },
  });
  expect(sent.status).toBe(202);
  const waiting = `SELECT FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted`;
  await expect.poll(() => postgres.query(waiting), { timeout: 120_000, interval: 50 }).toHaveLength(1);
  killed.kill('SIGKILL');
  await killed.ended;
  await blocking.query('ROLLBACK');
  const created = () => postgres.query(`SELECT username FROM users WHERE username LIKE 'pupil%'`);
  await expect.poll(created).toHaveLength(30);
  const state = () => postgres.query('SELECT state, processed, problems FROM rosters');
  expect(await state()).toEqual([{ state: 'writing', processed: 30, problems: 0 }]);

  // The killed process's lease would end in two minutes.
  await postgres.query(`UPDATE background_jobs SET next_at = now() WHERE kind = 'roster'`);
  const { origin } = await startServiceProcess(folder, settings);
  await expect
    .poll(state, { timeout: 120_000, interval: 200 })
    .toEqual([{ state: 'done', processed: rows, problems: 0 }]);
  expect(await created()).toHaveLength(rows);
  const members = await postgres.query(
    'SELECT count(*)::integer AS n FROM groups g JOIN group_members m ON m.group_id = g.id GROUP BY g.id',
  );
  expect(members).toEqual([{ n: 20 }, { n: 20 }, { n: 20 }]);
  const logged = `SELECT count(*)::integer AS n FROM audit_log WHERE action = 'importRoster' AND target_type = 'user'`;
  expect(await postgres.query(logged)).toEqual([{ n: rows }]);
  const { body } = await ask(origin, 'GET', '/api/admin/roster', { token });
  expect(JSON.stringify(body)).toContain('"state":"done"');
}, 400_000);
