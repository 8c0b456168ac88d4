import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type EmbeddedOptions, startEmbeddedPostgres } from '../../src/embedded-postgres/index.ts';
import { eventually, isAlive, makeDataFolder, makeFolder, query, spawnChild, untilGone } from './support.ts';

/** In this process, so that a failing test does not leave it running. */
async function start(dataDir: string, options: Omit<EmbeddedOptions, 'dataDir'> = {}) {
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

test('kill -9 of the process while it writes: the next start joins its server, where every acknowledged row is', async () => {
  const dataDir = await makeDataFolder();
  const child = spawnChild({ dataDir });
  const { pid, url } = await child.started();
  child.tell('insert');
  await untilInserting(child);
  await child.kill();

  const again = await start(dataDir);
  expect(again).toMatchObject({ pid, url });
  await expectAll(acknowledgedBy(child), again.url);
  await again.stop();
  await untilGone(pid);
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

test('kill -9 of the server: the process is notified, and the next start finds the data', async () => {
  const dataDir = await makeDataFolder();
  const exits: string[] = [];
  const server = await start(dataDir, { onExit: (message) => exits.push(message) });
  await query(server.url, 'create table kept as select 42 as answer');
  process.kill(server.pid, 'SIGKILL');
  await expect.poll(() => exits).toEqual([expect.stringMatching(/has exited; see .*postgres\/server\.log\.$/)]);
  await server.stop();

  const again = await start(dataDir);
  expect(await query(again.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
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
