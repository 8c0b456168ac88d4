import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/embedded-postgres/index.ts';
import { eventually, isAlive, makeDataFolder, makeFolder, query, spawnChild, untilGone } from './support.ts';

/** In this process, so that a failing test does not leave it running. */
async function start(dataDir: string, options: { durable?: boolean; log?: (message: string) => void } = {}) {
  const server = await startEmbeddedPostgres({ dataDir, ...options });
  onTestFinished(() => server.stop());
  return server;
}

type Child = ReturnType<typeof spawnChild>;

const acknowledgedBy = (child: Child) => child.reports.flatMap(({ acknowledged }) => acknowledged ?? []);
const untilInserting = (child: Child) => eventually(() => (acknowledgedBy(child).length > 200 ? true : undefined));

async function expectAll(acknowledged: number[], url: string): Promise<void> {
  const present = new Set((await query<{ id: number }>(url, 'select id from entries')).map(({ id }) => id));
  expect(acknowledged.length).toBeGreaterThan(200);
  expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
}

test('kill -9 of the process while it writes: its server ends, and every acknowledged row is there', async () => {
  const dataDir = await makeDataFolder();
  const child = spawnChild({ dataDir });
  const { pid, url } = await child.started();
  child.tell('insert');
  await untilInserting(child);
  await child.kill();
  await untilGone(pid);

  const again = await start(dataDir);
  expect(again).toMatchObject({ url, attached: false });
  await expectAll(acknowledgedBy(child), again.url);
});

test('kill -9 of the process and its server at once: the next start recovers every acknowledged row', async () => {
  const dataDir = await makeDataFolder();
  const child = spawnChild({ dataDir });
  const { pid } = await child.started();
  child.tell('insert');
  await untilInserting(child);
  process.kill(pid, 'SIGKILL');
  await child.kill();

  const again = await start(dataDir); // at once: the children of the server may still be leaving
  expect(again.pid).not.toBe(pid);
  await expectAll(acknowledgedBy(child), again.url);
});

test('kill -9 of the server: it is started again at the same port, and a pool goes on', async () => {
  const dataDir = await makeDataFolder();
  const server = await start(dataDir);
  const pool = new Pool({ connectionString: server.url });
  pool.on('error', () => undefined);
  onTestFinished(() => pool.end());
  await pool.query('create table entries as select generate_series(1, 1000) as id');

  for (let round = 0; round < 2; round++) {
    const { pid } = server;
    process.kill(pid, 'SIGKILL');
    const counted = await eventually(async () => {
      const { rows } = await pool.query('select count(*)::int as count from entries');
      return server.pid === pid ? undefined : rows;
    });
    expect(counted).toEqual([{ count: 1000 }]);
    expect(server.attached).toBe(false);
  }
});

test('the port taken while the server is down: it comes back when the port is free', async () => {
  const child = spawnChild({ dataDir: await makeDataFolder(), durable: false });
  const { pid, url } = await child.started();
  child.signal('SIGSTOP');
  process.kill(pid, 'SIGKILL');
  const squatter = await eventually(async () => {
    const server = createServer().listen(Number(new URL(url).port), '127.0.0.1');
    await once(server, 'listening');
    return server;
  });
  child.signal('SIGCONT');
  await eventually(() => child.reports.find(({ log }) => log?.includes('exited; restarting')));
  expect(child.reports.filter(({ log }) => log?.startsWith('started'))).toHaveLength(1);
  squatter.close();
  expect(await eventually(() => query(url, 'select 1 as one'))).toEqual([{ one: 1 }]);
});

test('a server whose process and watchdog were killed is adopted, and stopped in the end', async () => {
  const dataDir = await makeDataFolder();
  const child = spawnChild({ dataDir, durable: false });
  const { pid, url } = await child.started();
  for (const watchdog of watchdogsOf(pid)) process.kill(watchdog, 'SIGKILL');
  await child.kill();
  expect(isAlive(pid)).toBe(true);

  const adopter = await start(dataDir, { durable: false });
  expect(adopter).toMatchObject({ pid, url, attached: false });
  expect(watchdogsOf(pid)).toHaveLength(1);
  await adopter.stop();
  await untilGone(pid);
});

test('a process that ends without stop takes its server along', async () => {
  const child = spawnChild({ dataDir: await makeDataFolder(), durable: false });
  const { pid } = await child.started();
  expect(watchdogsOf(pid)).toHaveLength(1);
  child.tell('end');
  expect(await child.exited).toEqual([0, null]);
  await untilGone(pid);
  expect(watchdogsOf(pid)).toEqual([]);
});

test('a stale pid file whose pid belongs to another program is set aside', async () => {
  const dataDir = await makeDataFolder();
  const server = await start(dataDir, { durable: false });
  const data = path.join(dataDir, 'postgres/data');
  const pidFile = await readFile(path.join(data, 'postmaster.pid'), 'utf8');
  await server.stop();

  // Of the same account, as PostgreSQL sees by itself that a process of another one is no server of its own.
  const { uid, gid } = await stat(data);
  const other = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {});
  onTestFinished(() => void other.kill());
  await writeFile(path.join(data, 'postmaster.pid'), pidFile.replace(/^\d+/, String(other.pid)));

  const again = await start(dataDir, { durable: false });
  expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(isAlive(other.pid ?? 0)).toBe(true);
});

test('an empty pid file, which a starting server is about to write, is left alone; one of a crash is set aside', async () => {
  const dataDir = await makeDataFolder();
  await (await start(dataDir, { durable: false })).stop();
  const file = path.join(dataDir, 'postgres/data/postmaster.pid');
  await writeFile(file, '');
  const starting = start(dataDir, { durable: false });
  await delay(1000); // long enough to look at it many times
  expect(await readFile(file, 'utf8')).toBe('');

  const before = new Date(Date.now() - 60_000);
  await utimes(file, before, before);
  expect(await query((await starting).url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('kill -9 while the cluster is being made: the next start makes it anew and cleans up', async () => {
  const dataDir = await makeFolder();
  const child = spawnChild({ dataDir });
  const draft = await eventually(async () => (await readdir(dataDir)).find((name) => name.includes('.draft-')));
  await eventually(() => (existsSync(path.join(dataDir, draft, 'data/global')) ? true : undefined));
  await child.kill();
  expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false);

  const server = await start(dataDir);
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  // The orphaned initdb may have been writing still; the next start finds the rest.
  await server.stop();
  await start(dataDir);
  expect(await readdir(dataDir)).toEqual(['postgres']);
});

function watchdogsOf(pid: number): number[] {
  return execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.endsWith(`watchdog ${pid}`) && !/^ *\d+ Z/.test(line))
    .map((line) => Number.parseInt(line, 10));
}
