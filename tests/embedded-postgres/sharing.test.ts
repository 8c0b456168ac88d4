import { expect, test } from 'vitest';
import { eventually, makeDataFolder, makeFolder, query, spawnChild, untilGone } from './support.ts';

const durable = false;

test('four processes at once on an empty folder share one server, which ends with the last of them', async () => {
  const dataDir = await makeFolder();
  const children = [1, 2, 3, 4].map(() => spawnChild({ dataDir, durable }));
  const places = await Promise.all(children.map((child) => child.started()));
  const [{ pid, url } = { pid: 0, url: '' }] = places;
  expect(places.map((place) => [place.pid, place.url])).toEqual(Array(4).fill([pid, url]));
  expect(places.filter(({ attached }) => !attached)).toHaveLength(1);

  await Promise.all(children.map((child) => child.stop()));
  await untilGone(pid);
});

test('a tool that joins the server of the service leaves it running', async () => {
  const dataDir = await makeDataFolder();
  const service = spawnChild({ dataDir, durable });
  const { pid, url } = await service.started();
  const tool = spawnChild({ dataDir, durable });
  expect(await tool.started()).toMatchObject({ pid, url, attached: true });
  await tool.stop();
  const careless = [1, 2, 3].map(() => spawnChild({ dataDir, durable }));
  await Promise.all(careless.map((child) => child.started()));
  await Promise.all(careless.map((child) => child.kill()));

  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await service.look()).toEqual({ pid, attached: false });
  await service.stop();
  await untilGone(pid);
});

test('the owner leaves: another process takes the server over without an interruption, and stops it at its end', async () => {
  const dataDir = await makeDataFolder();
  const owner = spawnChild({ dataDir, durable });
  const { pid, url } = await owner.started();
  const heir = spawnChild({ dataDir, durable });
  await heir.started();
  heir.tell('insert');
  await heir.until(({ acknowledged }) => acknowledged);
  await owner.stop();

  const inserted = heir.reports.length;
  await eventually(() => (heir.reports.length > inserted + 100 ? true : undefined));
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await heir.look()).toEqual({ pid, attached: false });
  await heir.stop();
  await untilGone(pid);
});

test('kill -9 of the owner: those that joined start the server again at the same port', async () => {
  const dataDir = await makeDataFolder();
  const owner = spawnChild({ dataDir, durable });
  const { pid, url } = await owner.started();
  const others = [spawnChild({ dataDir, durable }), spawnChild({ dataDir, durable })];
  await Promise.all(others.map((other) => other.started()));
  await query(url, 'create table kept as select 42 as answer');
  await owner.kill();
  await untilGone(pid);

  expect(await eventually(() => query(url, 'select answer from kept'))).toEqual([{ answer: 42 }]);
  const places = await eventually(async () => {
    const looks = await Promise.all(others.map((other) => other.look()));
    return looks.every((look) => look.pid !== pid) ? looks : undefined;
  });
  expect(new Set(places.map((place) => place.pid)).size).toBe(1);
  expect(places.filter(({ attached }) => !attached)).toHaveLength(1);
  await Promise.all(others.map((other) => other.stop()));
  await Promise.all(places.map((place) => untilGone(place.pid)));
});

test('two folders at once are two servers', async () => {
  const children = [await makeDataFolder(), await makeDataFolder()].map((dataDir) => spawnChild({ dataDir, durable }));
  const [first, second] = await Promise.all(children.map((child) => child.started()));
  expect(first?.pid).not.toBe(second?.pid);
  expect(first?.url).not.toBe(second?.url);
  expect([first?.attached, second?.attached]).toEqual([false, false]);
  await Promise.all(children.map((child) => child.stop()));
});
