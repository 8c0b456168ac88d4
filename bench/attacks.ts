import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { attacks } from './attacks/all.ts';
import type { Attack, Probe, Tally } from './attacks/attack.ts';
import { type Client, createClient } from './attacks/http.ts';
import { type LoadResult, runLoad } from './attacks/load.ts';
import { adminName, createPeople, createWorld, type Person, type World } from './attacks/people.ts';
import { type Line, progressLine, table } from './attacks/report.ts';
import { readMetrics, startServer } from './servers.ts';

const help = `Measures the latency of ordinary users while the service is under attack.

  npm run bench:attacks                              every attack for 60 s, and 60 s without one before and after
  npm run bench:attacks -- --seconds 10 --only import

The service runs in its own process, with its own database and the default limits. ${attacks.length} attacks:
${attacks.map(({ name }) => `  ${name}`).join('\n')}

The load is 12 users, each with their own address, who wait 0.1 s before each request. Latencies include the requests
that a client could not send because it was waiting. Exit code 1: p99 is at least 5 times the baseline, a request of the
load has an unexpected status, or a request that must succeed during an attack fails.`;

const loadUsers = 12;

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

const chosen = ({ name }: Attack) => name.includes(flags.only);
type Bench = { client: Client; world: World; people: Person[]; seconds: number };

const measureLoad = ({ client, world, people, seconds }: Bench) => runLoad(client, world, people, seconds);

async function measureAttack(bench: Bench, attack: Attack, number: number): Promise<Omit<Line, 'name'>> {
  const { client, world, seconds } = bench;
  const people = await createPeople(client, world, `attacker${number}-`, `10.66.${number}`, attack.people);
  const worker = new Worker(join(import.meta.dirname, 'attacker.js'), {
    workerData: { name: attack.name, world, people },
  });
  try {
    await once(worker, 'message');
    await untilIdle(world.origin);
    worker.postMessage('start');
    const probe = attack.probe?.(world, people);
    const probeResult = probe && runProbe(client, probe, seconds);
    const result = await measureLoad(bench);
    worker.postMessage('stop');
    const [tally] = (await once(worker, 'message')) as [Tally];
    return { result, tally, probed: await probeResult };
  } finally {
    await worker.terminate();
  }
}

async function runProbe(client: Client, { what, sender, message }: Probe, seconds: number) {
  const end = performance.now() + seconds * 1000;
  const probed = { what, sent: 0, failures: {} as Record<string, number>, slowest: 0 };
  while (performance.now() < end) {
    const started = performance.now();
    const { status } = await client.send(sender, message);
    probed.sent += 1;
    probed.slowest = Math.max(probed.slowest, performance.now() - started);
    if (status !== 200) probed.failures[status] = (probed.failures[status] ?? 0) + 1;
    await setTimeout(1000);
  }
  return probed;
}

/** Waits until the service is idle, at most two minutes: it may still work on requests whose client has gone. */
async function untilIdle(origin: string): Promise<void> {
  let last = Number.NaN;
  for (let second = 0; second < 120; second += 1) {
    const { processor } = await readMetrics(origin);
    if (processor - last < 0.1) return;
    last = processor;
    await setTimeout(1000);
  }
}

async function measureAll(bench: Bench): Promise<Line[]> {
  await runLoad(bench.client, bench.world, bench.people, Math.min(5, bench.seconds)); // warming up
  const lines: Line[] = [];
  const measured = async (name: string, run: () => Promise<Omit<Line, 'name'>>) => {
    const line = { name, ...(await run()) };
    lines.push(line);
    process.stderr.write(`${progressLine(line)}\n`);
    await untilIdle(bench.world.origin);
  };
  const baseline = async (): Promise<{ result: LoadResult }> => ({ result: await measureLoad(bench) });
  await measured('none, before', baseline);
  for (const [number, attack] of attacks.entries())
    if (chosen(attack)) await measured(attack.name, () => measureAttack(bench, attack, number));
  await measured('none, after', baseline);
  return lines;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(os.tmpdir(), 'studytrack-attacks-'));
  const password = randomBytes(15).toString('base64url');
  const server = await startServer('../src/server.js', {
    NODE_ENV: 'development',
    DATABASE_URL: '',
    DATA_DIR: join(folder, 'data'),
    UPLOADS_DIR: join(folder, 'uploads'),
    PORT: '0',
    TRUST_PROXY: '1',
    RATE_LIMIT_PER_MINUTE: '',
    ACCESS_TOKEN_TTL: '86400',
    ADMIN_USERNAME: adminName,
    ADMIN_PASSWORD: password,
  });
  const client = createClient(server.origin);
  try {
    const world = await createWorld(client, server.origin, password);
    const people = await createPeople(client, world, 'person', '10.1.0', loadUsers);
    const { text, failed } = table(await measureAll({ client, world, people, seconds: Number(flags.seconds) }));
    process.stdout.write(text);
    process.exitCode = failed ? 1 : 0;
  } finally {
    client.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

if (flags.help || !(Number(flags.seconds) > 0) || !attacks.some(chosen)) {
  process.stdout.write(`${help}\n`);
  process.exitCode = flags.help ? 0 : 1;
} else {
  await main();
}
