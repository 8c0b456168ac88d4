import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { findMissingSettings, openDatabase } from '../../src/db/database.ts';
import { translateDatabaseError } from '../../src/db/errors.ts';
import { createPool } from '../../src/db/pool.ts';
import { sql, t } from '../../src/db/sql/sql.ts';
import { command, query } from '../../src/db/sql/statement.ts';
import { projectRoot } from '../../src/project-root.ts';
import { UnavailableError } from '../../src/texts/errors.ts';
import { createTestDatabase, patientTimeouts, type TestDatabase } from '../support/database.ts';
import { startTcpProxy } from '../support/servers/tcp-proxy.ts';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.drop());

const one = query('test_one', { one: t.integer }, () => sql`SELECT 1 AS one`);
const backend = query('test_backend', { pid: t.integer }, () => sql`SELECT pg_backend_pid() AS pid`);
const sleep = command('test_sleep', () => sql`SELECT pg_sleep(10)`);
const terminate = 'SELECT pg_terminate_backend($1::int, 10000)'; // returns once the process has exited and its socket is closed
const takeTwice = command('test_take_twice', () => sql`INSERT INTO seats VALUES (1), (1)`);
const unavailable = async (work: Promise<unknown>) =>
  expect(translateDatabaseError(await work.catch((error: unknown) => error))).toBeInstanceOf(UnavailableError);

test('JIT compilation is off, because it takes longer than the statements', async () => {
  const show = query('test_show_jit', { jit: t.text }, () => sql`SELECT current_setting('jit') AS jit`);
  expect(await own.database.one(show())).toEqual({ jit: 'off' });
});

test('a role has every setting that a pooler does not forward, and missing ones are named', async () => {
  const role = `pooled_${process.pid}_${Date.now()}`;
  const file = await readFile(path.join(projectRoot, 'docs/cluster/role.sql'), 'utf8');
  const settings = file.split('\n').filter((line) => line.startsWith('ALTER ROLE studytrack SET'));
  await own.sql.query(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'pooled'`);
  onTestFinished(async () => void (await own.sql.query(`DROP ROLE ${role}`)));
  const pooled = new URL(own.url);
  pooled.username = role;
  pooled.password = 'pooled';
  pooled.searchParams.set('options', '-c geqo=on'); // replaces those of the service
  const findMissing = () => {
    const database = openDatabase({ url: pooled.href, poolSize: 1 });
    return findMissingSettings(database).finally(database.close);
  };
  expect(await findMissing()).toContain('jit');
  for (const line of settings) await own.sql.query(line.replace('studytrack', role));
  expect(await findMissing()).toEqual([]);
});

test('a statement outside a transaction that was cancelled for another one runs again', async () => {
  const database = openDatabase({ url: own.url, poolSize: 1 });
  onTestFinished(database.close);
  const { pid } = await database.one(backend());
  const blocker = new pg.Client(own.url);
  await blocker.connect();
  onTestFinished(() => blocker.end());
  const lock = () => blocker.query('SELECT pg_advisory_lock(1)');
  const wait = query('test_wait', { waited: t.text }, () => sql`SELECT pg_advisory_xact_lock(1)::text AS waited`);
  const cancel = () =>
    vi.waitFor(
      async () => {
        const text = `SELECT pg_cancel_backend(pid) AS cancelled FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'advisory'`;
        expect(await own.sql.query(text, [pid])).toEqual([{ cancelled: true }]);
      },
      { timeout: 60_000 },
    );
  const cancelAndUnlock = () => cancel().then(() => blocker.query('SELECT pg_advisory_unlock(1)'));
  await lock();
  const [waited] = await Promise.all([database.one(wait()), cancelAndUnlock()]);
  expect(waited).toEqual({ waited: '' });
  await lock();
  // The transaction has been rolled back: its caller decides.
  await unavailable(database.transaction((tx) => Promise.all([tx.one(wait()), cancel()])));
});

test('a statement prepared while a table was empty is planned again when it has grown', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = createPool({ url: own.url, size: 1, timeouts: patientTimeouts });
  const client = await pool.acquire().promise;
  onTestFinished(async () => {
    pool.release(client);
    await pool.destroy();
  });
  await own.sql.query('CREATE TABLE growing (id integer PRIMARY KEY)');
  await own.sql.query('VACUUM ANALYZE growing');
  await client.query('SET plan_cache_mode = force_generic_plan'); // the default after a few executions
  await client.query('PREPARE find (integer) AS SELECT FROM growing WHERE id = $1; EXECUTE find(7)');
  const plan = async () => (await client.query('EXPLAIN EXECUTE find(7)')).rows[0];
  await own.sql.query('INSERT INTO growing SELECT generate_series(1, 20000)');
  expect(await plan()).toEqual({ 'QUERY PLAN': expect.stringContaining('Seq Scan on growing') });
  vi.advanceTimersByTime(10_000);
  expect(await plan()).toEqual({ 'QUERY PLAN': expect.stringMatching(/^(Index Only|Bitmap Heap) Scan/) });
});

test('the date style of the database does not matter', async () => {
  const name = new URL(own.url).pathname.slice(1);
  await own.sql.query(`ALTER DATABASE ${name} SET datestyle = 'German, DMY'`);
  const database = openDatabase({ url: own.url, poolSize: 1 });
  onTestFinished(database.close);
  const read = query('test_date_style', { at: t.timestamptz }, () => sql`SELECT timestamptz '2026-03-01 05:00Z' AS at`);
  expect(await database.one(read())).toEqual({ at: '2026-03-01T05:00:00.000Z' });
});

test('an idle connection that the server closes is replaced transparently', async () => {
  const database = openDatabase({ url: own.url, poolSize: 1 });
  const before = await database.one(backend());
  await own.sql.query(terminate, [before.pid]);
  await nextTurn();

  const after = await database.one(backend());
  expect(after.pid).not.toBe(before.pid);
  await database.close();
});

test('a lost connection fails the running statement as unavailable, and the next one succeeds', async () => {
  const proxy = await startTcpProxy(own.url);
  const database = openDatabase({ url: proxy.url, poolSize: 1 });
  const running = database.execute(sleep());
  await expect
    .poll(() => own.sql.query(`SELECT FROM pg_stat_activity WHERE query LIKE '%SELECT pg_sleep(10)'`))
    .toHaveLength(1);
  proxy.cut();

  await unavailable(running);
  expect(await database.many(one())).toEqual([{ one: 1 }]);
  await database.close();
  await proxy.stop();
});

test('a write on a read-only server fails as unavailable, and the next one uses another connection', async () => {
  const database = openDatabase({ url: own.url, poolSize: 1 });
  const becomeReadOnly = command('test_read_only', () => sql`SET default_transaction_read_only = on`);
  const create = command('test_create', () => sql`CREATE TABLE written_after_failover ()`);
  await database.execute(becomeReadOnly());
  await unavailable(database.execute(create()));
  expect(await database.execute(create())).toBe(0);

  const drop = command('test_drop', () => sql`DROP TABLE written_after_failover`);
  await database.execute(becomeReadOnly());
  await unavailable(database.transaction((tx) => tx.execute(drop())));
  expect(await database.transaction((tx) => tx.execute(drop()))).toBe(0);
  await database.close();
});

test('a database that stops responding fails the statement, also in a transaction, and frees the connection', async () => {
  const proxy = await startTcpProxy(own.url);
  const database = openDatabase({ url: proxy.url, poolSize: 1, timeouts: { statement: 300, connect: 1000 } });
  expect(await database.many(one())).toEqual([{ one: 1 }]);

  proxy.hold();
  await unavailable(database.transaction((tx) => tx.knex.raw('SELECT 1')));
  await unavailable(database.many(one())); // no new connection can be opened either
  proxy.release();
  await expect.poll(() => database.many(one()).catch(() => 'not yet')).toEqual([{ one: 1 }]);
  await database.close();
  await proxy.stop();
});

test('a failed commit rejects the transaction and does not run afterCommit hooks', async () => {
  await own.database.knex.raw(
    'CREATE TABLE seats (seat int, CONSTRAINT seats_key UNIQUE (seat) DEFERRABLE INITIALLY DEFERRED)',
  );
  let committed = false;
  const work = own.database.transaction(async (tx) => {
    tx.afterCommit(() => {
      committed = true;
    });
    await tx.execute(takeTwice());
  });
  await expect(work).rejects.toThrow('seats_key');
  expect(committed).toBe(false);
  expect(await own.database.many(one())).toEqual([{ one: 1 }]);
});
