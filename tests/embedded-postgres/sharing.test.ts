import { expect, test } from 'vitest';
import { eventually, makeDataFolder, makeFolder, query, spawnChild, untilGone } from './support.ts';

const durable = false;

test('four processes at once on an empty folder share one server, which ends with the last of them', async () => {
  const dataDir = await makeFolder();
  const children = [1, 2, 3, 4].map(() => spawnChild({ dataDir, durable }));
  const places = await Promise.all(children.map((child) => child.started()));
  const [{ pid, url } = { pid: 0, url: '' }] = places;
  expect(places.map((place) => [place.pid, place.url])).toEqual(Array(4).fill([pid, url]));
  const logs = children.flatMap((child) => child.reports.map(({ log }) => log));
  expect(logs.filter((log) => log?.startsWith('started'))).toHaveLength(1);

  await Promise.all(children.map((child) => child.stop()));
  await untilGone(pid);
});

test('a tool that joins the server of the service leaves it running', async () => {
  const dataDir = await makeDataFolder();
  const service = spawnChild({ dataDir, durable });
  const { pid, url } = await service.started();
  const tool = spawnChild({ dataDir, durable });
  expect(await tool.started()).toMatchObject({ pid, url });
  await tool.stop();
  const careless = [1, 2, 3].map(() => spawnChild({ dataDir, durable }));
  await Promise.all(careless.map((child) => child.started()));
  await Promise.all(careless.map((child) => child.kill()));

  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await service.stop();
  await untilGone(pid);
});

test('the process that started the server leaves: the server continues without an interruption until the last one stops', async () => {
  const dataDir = await makeDataFolder();
  const first = spawnChild({ dataDir, durable });
  const { pid, url } = await first.started();
  const second = spawnChild({ dataDir, durable });
  await second.started();
  second.tell('insert');
  await second.until(({ acknowledged }) => acknowledged);
  await first.stop();

  const inserted = second.reports.length;
  await eventually(() => (second.reports.length > inserted + 100 ? true : undefined));
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await second.stop();
  await untilGone(pid);
});

test('a process that starts while the last one stops gets a server', async () => {
  const dataDir = await makeDataFolder();
  for (let round = 0; round < 5; round += 1) {
    const [leaving, arriving] = [spawnChild({ dataDir, durable }), spawnChild({ dataDir, durable })];
    await leaving.started();
    leaving.tell('stop');
    const { url, pid } = await arriving.started();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await Promise.all([leaving.exited, arriving.stop()]);
    await untilGone(pid);
  }
});

test('two folders at once are two servers', async () => {
  const children = [await makeDataFolder(), await makeDataFolder()].map((dataDir) => spawnChild({ dataDir, durable }));
  const [first, second] = await Promise.all(children.map((child) => child.started()));
  expect(first?.pid).not.toBe(second?.pid);
  expect(first?.url).not.toBe(second?.url);
  await Promise.all(children.map((child) => child.stop()));
});
