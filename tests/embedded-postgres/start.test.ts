import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../src/embedded-postgres/index.ts';
import { makeDataFolder, makeFolder, query, untilGone } from './support.ts';

const throwAway = { durable: false };

async function start(dataDir: string) {
  const server = await startEmbeddedPostgres({ dataDir, ...throwAway });
  onTestFinished(() => server.stop());
  return server;
}

test('a fresh folder becomes a private server that speaks UTF-8', async () => {
  const dataDir = path.join(await makeFolder(), 'data');
  const server = await startEmbeddedPostgres({ dataDir });
  onTestFinished(() => server.stop());

  const settings = await query<{ name: string; setting: string }>(
    server.url,
    `select name, setting from pg_settings where name in
     ('listen_addresses', 'unix_socket_directories', 'server_encoding', 'max_connections', 'fsync', 'TimeZone')`,
  );
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    server_encoding: 'UTF8',
    max_connections: '200',
    fsync: 'on',
    TimeZone: 'UTC',
  });
  const [database] = await query(
    server.url,
    `select current_database() as name, datctype as ctype from pg_database where datname = current_database()`,
  );
  expect(database).toEqual({ name: 'studytrack', ctype: 'C.UTF-8' });
  await query(server.url, 'create extension pg_trgm');
  const [trigrams] = await query<{ count: number }>(
    server.url,
    `select cardinality(show_trgm('中文搜索')) as count, 'É' ilike 'é' as folds`,
  );
  expect(trigrams).toEqual({ count: 5, folds: true });

  const modeOf = async (name: string) => (await stat(path.join(dataDir, name))).mode & 0o777;
  expect(await modeOf('')).toBe(0o700);
  expect(await modeOf('postgres')).toBe(0o700);
  expect(await modeOf('postgres/data')).toBe(0o700);
  expect(await modeOf('postgres/password')).toBe(0o600);
  expect(await modeOf('postgres/server.log')).toBe(0o600);
});

test('connections need the password', async () => {
  const dataDir = await makeDataFolder();
  const server = await start(dataDir);
  const withPassword = (password: string) => Object.assign(new URL(server.url), { password }).href;
  await expect(query(withPassword('guess'), 'select 1')).rejects.toMatchObject({ code: '28P01' });
  const password = (await readFile(path.join(dataDir, 'postgres/password'), 'utf8')).trim();
  expect(password).toHaveLength(32);
  expect(await query(withPassword(password), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('stop ends the server; the next start finds the data, at the same address', async () => {
  const dataDir = await makeDataFolder();
  const first = await start(dataDir);
  await query(first.url, 'create table kept as select 42 as answer');
  await Promise.all([first.stop(), first.stop()]);
  await untilGone(first.pid);
  await expect(query(first.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });

  const second = await start(dataDir);
  expect(second.url).toBe(first.url);
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

test('another program on the port of the last time: a free port is found', async () => {
  const dataDir = await makeDataFolder();
  const first = await start(dataDir);
  await first.stop();
  const squatter = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
  onTestFinished(() => void squatter.close());

  const second = await start(dataDir);
  expect(second.url).not.toBe(first.url);
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a cluster of another major version is refused, with what to do', async () => {
  const dataDir = await makeDataFolder();
  await (await start(dataDir)).stop();
  await writeFile(path.join(dataDir, 'postgres/data/PG_VERSION'), '15\n');
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/PostgreSQL 15 cluster.*pg_dump.*DATABASE_URL/);
});

test('a damaged cluster is refused in the words of the server', async () => {
  const dataDir = await makeDataFolder();
  await (await start(dataDir)).stop();
  await writeFile(path.join(dataDir, 'postgres/data/postgresql.conf'), 'no_such_setting = 1\n');
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/unrecognized configuration parameter/);
});

test('on a machine without bundled programs the error names DATABASE_URL', async () => {
  vi.spyOn(process, 'arch', 'get').mockReturnValue('s390x');
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(startEmbeddedPostgres({ dataDir: await makeFolder() })).rejects.toThrow(/for .*-s390x .*DATABASE_URL/);
});
