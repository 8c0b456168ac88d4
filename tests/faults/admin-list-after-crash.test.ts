import { expect, test } from 'vitest';
import { loadSettings } from '../support/load.ts';
import { type Postgres, startPostgres } from '../support/servers/own-postgres.ts';
import { ask, signIn, startServiceProcess, temporaryFolder } from '../support/service-process.ts';

/** The server then closes all connections and recovers without a restart. */
async function killOneProcess({ query }: Postgres): Promise<void> {
  const [writer] = await query<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'`);
  const sleeping = query('SELECT pg_sleep(3600)').catch(() => 'disconnected');
  const isSleeping = `SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(3600)' AND state = 'active'`;
  await expect.poll(() => query(isSleeping)).toHaveLength(1);
  process.kill(writer?.pid ?? 0, 'SIGKILL');
  expect(await sleeping).toBe('disconnected'); // the server may recover before a poll finds it down
  await expect.poll(() => query('SELECT 1').catch(() => 'down')).not.toBe('down');
}

async function killServer({ kill, start }: Postgres): Promise<void> {
  await kill();
  await start();
}

test.each([
  ['the server', killServer],
  ['one of its processes', killOneProcess],
])('after kill -9 of %s, lists are current although transaction ids are reused', async (_what, crash) => {
  const postgres = await startPostgres(['autovacuum=off', 'wal_writer_delay=10s']);
  const { origin } = await startServiceProcess(await temporaryFolder(), {
    DATABASE_URL: postgres.url,
    ...loadSettings,
  });
  const token = await signIn(origin, 'admin', loadSettings.ADMIN_PASSWORD);
  const lin = { username: 'lin', email: 'lin@example.org' };
  const student = await ask(origin, 'POST', '/api/admin/users', { token, body: lin });
  const create = async (name: string, user = Number(student.body.data?.['id'])) => {
    const body = { name, assigned_user_ids: [user] };
    return (await ask(origin, 'POST', '/api/projects', { token, key: name, body })).status;
  };
  const names = async () => {
    const { body } = await ask(origin, 'GET', '/api/projects', { token });
    const projects = body.data?.['projects'] as { name: string }[]; // as the API documents
    return projects.map(({ name }) => name);
  };

  expect(await create('First')).toBe(201);
  // Rejected inside its transaction, whose id is lost with the unwritten part of the server's log.
  expect(await create('Rejected', 999_999)).toBe(400);
  expect(await names()).toEqual(['First']);
  await crash(postgres);
  await expect.poll(() => create('Second')).toBe(201);
  expect(await names()).toEqual(['Second', 'First']);
});
