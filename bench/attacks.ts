import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/embedded-postgres/index.ts';
import type { Attack, Context } from './attacks/attack.ts';
import { createClient } from './attacks/client.ts';
import { attacks } from './attacks/entries.ts';
import { startOthers } from './attacks/others.ts';
import { createPeople, type LoadResult, type Person, runLoad, share, signIn, type World } from './attacks/people.ts';
import { readFlags, readMetrics, service, showHelp, startServer, table } from './servers.ts';

const help = `Measures what ordinary users notice while others attack the service: p99 latency and unexpected statuses.

  npm run bench:attacks                              every attack for 30 s, and 30 s without one before and after
  npm run bench:attacks -- --seconds 10 --only import

The service runs in its own process, with an embedded database, the default limits, and a provider, a mail server and a
webhook receiver of its own. ${attacks.length} attacks:
${attacks.map(({ name }) => `  ${name}`).join('\n')}

The load is 12 users, each with their own address, who wait 0.1 s before each request. Exit code 1: an ordinary user's
request or a request that must succeed failed, or p99 is at least 5 times the larger one without an attack.`;

type Counts = Record<string, number>;
type Line = {
  name: string;
  load: LoadResult;
  attack?: Counts;
  probe?: { failures: Counts; slowest: number } | undefined;
};

const count = (counts: Counts, key: number | string) => {
  counts[key] = (counts[key] ?? 0) + 1;
};
const shown = (counts: Counts) =>
  Object.entries(counts)
    .map(([key, number]) => `${key} × ${number}`)
    .join(', ') || '–';

type Job = { name: string; world: World; people: Person[] };

/** Runs an attack in its own process, so that its work does not distort the latencies, until the process is killed. */
async function attack(): Promise<void> {
  const [{ name, world, people }] = (await once(process, 'message')) as [Job];
  const found = attacks.find((one) => one.name === name);
  const nobody: Person = { address: '10.79.0.1', token: '', id: 0, username: '', password: '', project: 0 };
  if (found === undefined) throw new Error(`no attack ${name}`);
  const client = createClient(world.origin);
  const statuses: Counts = {};
  const database = new pg.Client(world.databaseUrl);
  await database.connect();
  const sql: Context['sql'] = (text, values) => database.query(text, values);
  const contextOf = (n: number): Context => ({ client, world, people, me: people[n % people.length] ?? nobody, sql });
  await found.prepare?.(contextOf(0));
  // The rows of a preparation are old ones: writing them to disk and gathering their statistics is no part of the attack.
  if (found.prepare) for (const statement of ['CHECKPOINT', 'VACUUM ANALYZE']) await sql(statement, []);
  await database.end();
  process.send?.('ready');
  await once(process, 'message');
  process.on('message', () => process.send?.(statuses));
  const one = async (number: number) => {
    for (let n = number; ; n += found.clients) {
      const { from = contextOf(n).me, ...message } = found.request(contextOf(n), n);
      const { status } = await client.send(from, message);
      count(statuses, status);
      // Without the pause this would be a flood of rejected requests, which is a separate attack, and forty students behind one
      // address would use up its requests of a minute.
      if (status === 429 || typeof status === 'string') await setTimeout(2000);
    }
  };
  await Promise.all(Array.from({ length: found.clients }, (_, number) => one(number)));
}

async function main(seconds: number, chosen: readonly Attack[]): Promise<void> {
  const password = 'the password of an administrator';
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-attacks-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const others = await startOthers();
  const server = await startServer(service, {
    ...others.settings,
    ...{ NODE_ENV: 'development', DATABASE_URL: postgres.url, RATE_LIMIT_PER_MINUTE: '', CONTACT_FLOOD_PER_MINUTE: '' },
    ...{ ACCESS_TOKEN_TTL: '86400', ADMIN_USERNAME: 'bench-admin', ADMIN_PASSWORD: password },
  });
  const client = createClient(server.origin);
  const lines: Line[] = [];
  const add = async (line: Line) => {
    lines.push(line);
    process.stderr.write(`${line.name}: p99 ${line.load.p99.toFixed(0)} ms, attack ${shown(line.attack ?? {})}\n`);
    // Until the service is idle: it may still work on requests whose client has gone.
    for (let [second, last] = [0, Number.NaN]; second < 120; second += 1) {
      const { processor } = await readMetrics(server.origin);
      if (processor - last < 0.1) return;
      last = processor;
      await setTimeout(1000);
    }
  };

  async function measure(world: World, one: Attack, number: number): Promise<Line> {
    const people = await createPeople(client, world.admin, `attacker${number}-`, `10.66.${number}`, one.people);
    await share(client, world, people);
    const attacker = fork(import.meta.filename, { env: { ...process.env, ATTACKER: '1' } });
    const ended = once(attacker, 'exit').then(() => Promise.reject(new Error(`${one.name}: the attacker has failed`)));
    const answer = () => Promise.race([once(attacker, 'message'), ended]);
    attacker.send({ name: one.name, world, people } satisfies Job);
    await answer();
    attacker.send('start');
    const load = runLoad(client, world, seconds);
    const probe = one.probe && { failures: {} as Counts, slowest: 0 };
    for (const end = performance.now() + seconds * 1000; probe && performance.now() < end; ) {
      const required = one.probe?.(world, people[0]) ?? { path: '/' };
      const started = performance.now();
      const { status } = await client.send(required.from ?? world.admin, required);
      if (status !== 200) count(probe.failures, status);
      probe.slowest = Math.max(probe.slowest, performance.now() - started);
      await setTimeout(1000);
    }
    const result = await load;
    attacker.send('stop');
    const [statuses] = (await answer()) as [Counts];
    attacker.kill('SIGKILL');
    return { name: one.name, load: result, attack: statuses, probe };
  }

  try {
    const admin = { address: '10.0.0.1', token: await signIn(client, '10.0.0.1', 'bench-admin', password) };
    const people = await createPeople(client, admin, 'person', '10.1.0', 12);
    const shared = people[0]?.project ?? 0;
    const { origin } = server;
    const world: World = { origin, databaseUrl: postgres.url, others: others.origin, admin, shared, people };
    await share(client, world, people.slice(1));
    await runLoad(client, world, Math.min(5, seconds)); // warms up
    const undisturbed = async (name: string) => add({ name, load: await runLoad(client, world, seconds) });
    await undisturbed('none, before');
    for (const one of chosen) await add(await measure(world, one, attacks.indexOf(one)));
    await undisturbed('none, after');
  } finally {
    await server.stop();
    await others.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
  const base = Math.max(...lines.filter((line) => line.attack === undefined).map(({ load }) => load.p99));
  const failed = lines.some(
    ({ load, probe }) =>
      load.p99 / base >= 5 || load.unexpected.length > 0 || Object.keys(probe?.failures ?? {}).length > 0,
  );
  const columns = ['attack', 'requests', 'p50 ms', 'p99 ms', 'ratio', 'max ms', 'unexpected', '5xx'];
  const rows = lines.map(({ name, load, attack, probe }) => {
    const unexpected: Counts = {};
    for (const status of load.unexpected) count(unexpected, status);
    const times = [load.p50, load.p99].map((time) => time.toFixed(1));
    const required = probe && `failed ${shown(probe.failures)}, slowest ${probe.slowest.toFixed(0)} ms`;
    const serverErrors = load.unexpected.filter((status) => typeof status !== 'number' || status >= 500).length;
    return [
      ...[name, load.requests, ...times, (load.p99 / base).toFixed(2), load.max.toFixed(0)],
      ...[shown(unexpected), serverErrors, shown(attack ?? {}), required ?? '–'],
    ];
  });
  process.stdout.write(table([...columns, 'requests of the attack', 'must succeed'], rows));
  process.exitCode = failed ? 1 : 0;
}

const flags = readFlags(help, { seconds: '30', only: '' });
const chosen = attacks.filter(({ name }) => name.includes(flags.only));
if (process.env['ATTACKER'] !== undefined) await attack();
else if (chosen.length > 0 && Number(flags.seconds) > 0) await main(Number(flags.seconds), chosen);
else showHelp(help);
