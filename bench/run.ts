import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type Load, measure, type Result } from './measure.ts';
import { createMinimalTables } from './minimal-statements.ts';
import { type Measured, operations } from './operations.ts';
import { type Fixtures, prepare } from './prepare.ts';
import { cpuTime, cpuTimeSince, cpuTimes } from './processor-time.ts';
import { readMetrics, type Server, startServer } from './servers.ts';
import { soak } from './soak.ts';
import { type Line, table, type Work } from './table.ts';

const help = `Measures the service against floors, alternating, on the database named by DATABASE_URL.

  npm run bench:data -- --scale small     first, on an empty database
  npm run bench                           all operations at 16 connections, 5 rounds of 3 s each
  npm run bench -- --only list --connections 1,16,64 --rounds 5 --seconds 3
  npm run bench -- --processes 2          two processes of the service compared with one, not with a floor
  npm run bench -- --soak 10              ten minutes of mixed load: memory and errors per minute

Floors are bare node:http servers without framework, validation, logging, limits or user lookup. "Same" runs the
service's own statements and shows what the service adds to its database work. "Minimal" runs the smallest statements
that do the same work, on its own tables in the schema minimal_floor, which the first run fills; it also shows the cost
of the data model. "Fixed" returns prepared bytes of the same size. A ratio is the service's requests per second divided
by the floor's in the same round; the result is the median of the rounds. The work is CPU time per request, in the server
and in PostgreSQL, which must run on this machine. The delay is the p99 of the service's event loop during the
measurement. The table is printed and written to bench/results/.`;

type Sides = {
  service: Server;
  floor: Server;
  minimal: Server | undefined;
  fixed: Server | undefined;
  /** Waits until the database is idle: aborted requests may leave statements running. */
  settle(): Promise<void>;
  /** CPU times of the database's processes. */
  databaseTimes(): Promise<Map<number, number>>;
};

type Round = Result & Work;

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    processes: { type: 'string', default: '1' },
    soak: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const countActive = `
  SELECT count(*) AS active FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND state <> 'idle'`;

const listProcesses = 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()';

const median = (numbers: readonly number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

function medianRound(results: readonly Round[]): Round {
  const of = (field: keyof Round) => median(results.map((result) => result[field]));
  const errors = results.reduce((sum, result) => sum + result.errors, 0);
  const [rate, p50, p99, bytes] = [of('rate'), of('p50'), of('p99'), of('bytes')];
  return { requests: of('requests'), rate, p50, p99, bytes, errors, server: of('server'), database: of('database') };
}

/** Includes the CPU time per request; unknown for a server with several processes. */
async function measureWork(server: Server, load: Load, { settle, databaseTimes }: Sides): Promise<Round> {
  const [serverBefore, databaseBefore] = [await cpuTime(server.pid), await databaseTimes()];
  const result = await measure(server.origin, load);
  await settle();
  const spent = flags.processes === '1' ? (await cpuTime(server.pid)) - serverBefore : Number.NaN;
  const inDatabase = cpuTimeSince(databaseBefore, await databaseTimes());
  return { ...result, server: spent / result.requests, database: inDatabase / result.requests };
}

async function compare(operation: Measured, connections: number, fixtures: Fixtures, sides: Sides): Promise<Line> {
  const seconds = Math.max(Number(flags.seconds), operation.seconds ?? 0);
  const load: Load = { operation, fixtures, side: 0, connections, seconds };
  const minimal = operation.minimal === undefined ? undefined : sides.minimal;
  const [serviceRounds, sameRounds, minimalRounds, fixedRates, delays]: [
    Round[],
    Round[],
    Round[],
    number[],
    number[],
  ] = [[], [], [], [], []];
  for (let round = 0; round <= Number(flags.rounds); round += 1) {
    await readMetrics(sides.service.origin);
    const a = await measureWork(sides.service, load, sides);
    const { delay } = await readMetrics(sides.service.origin);
    const b = await measureWork(sides.floor, { ...load, side: 1 }, sides);
    const c = minimal && (await measureWork(minimal, { ...load, side: 1 }, sides));
    const d = sides.fixed && (await measure(sides.fixed.origin, { ...load, side: 1 }, `/fixed/${a.bytes}`));
    if (round === 0) continue; // warming up
    serviceRounds.push(a);
    sameRounds.push(b);
    if (c !== undefined) minimalRounds.push(c);
    fixedRates.push(d?.rate ?? Number.NaN);
    delays.push(delay);
  }
  const ratioTo = (floor: readonly Result[]) =>
    median(
      serviceRounds.flatMap((result, index) => (floor[index] === undefined ? [] : [result.rate / floor[index].rate])),
    );
  return {
    operation,
    connections,
    service: medianRound(serviceRounds),
    same: { ratio: ratioTo(sameRounds), ...medianRound(sameRounds) },
    minimal: { ratio: ratioTo(minimalRounds), ...medianRound(minimalRounds) },
    fixed: median(fixedRates),
    delay: median(delays),
  };
}

async function compareAll(fixtures: Fixtures, sides: Sides): Promise<void> {
  const lines: Line[] = [];
  for (const operation of operations.filter(({ name }) => name.includes(flags.only))) {
    const numbers = flags.connections.split(',').map(Number);
    for (const connections of new Set(numbers.map((number) => Math.min(number, operation.connections ?? number)))) {
      const line = await compare(operation, connections, fixtures, sides);
      lines.push(line);
      process.stderr.write(
        `${operation.name} (${connections}): ${line.same.ratio.toFixed(2)} ${line.minimal.ratio.toFixed(2)}\n`,
      );
    }
  }
  process.stdout.write(table(lines));
  await mkdir('bench/results', { recursive: true });
  const stamp = new Date().toISOString().slice(0, 16).replace(':', '');
  await writeFile(
    `bench/results/${stamp}.md`,
    `npm run bench -- ${process.argv.slice(2).join(' ')}\n\n${table(lines)}`,
  );
}

async function main(url: string): Promise<void> {
  const secret = randomBytes(48).toString('base64');
  const database = new pg.Pool({ connectionString: url, max: 2 });
  const { rows } = await database.query("SELECT current_setting('autovacuum')::boolean AS vacuums");
  if (!rows[0]?.vacuums)
    process.stderr.write('autovacuum is off: dead rows make later measurements slower; turn it on\n');
  await createMinimalTables(database);
  const callers = operations.flatMap((operation) => (operation.callers === 'owner' ? [] : operation.callers));
  const fixtures = await prepare(database, secret, callers);
  const settle = async () => {
    for (let active = 1; active > 0; ) {
      await setTimeout(100);
      active = Number((await database.query(countActive)).rows[0]?.active);
    }
  };
  const databaseTimes = async () => {
    const { rows } = await database.query<{ pid: number }>(listProcesses);
    return cpuTimes(rows.map(({ pid }) => pid));
  };
  const folder = await mkdtemp(join(os.tmpdir(), 'studytrack-bench-'));
  const environment = {
    DATABASE_URL: url,
    JWT_SECRET: secret,
    DATA_DIR: join(folder, 'data'),
    UPLOADS_DIR: join(folder, 'uploads'),
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    CONTACT_FLOOD_PER_MINUTE: '0',
    TRUST_PROXY: '1',
    NODE_ENV: 'production',
  };
  const servers: Server[] = [];
  const start = async (file: string, settings: NodeJS.ProcessEnv = {}) => {
    const server = await startServer(file, { ...environment, ...settings });
    servers.push(server);
    return server;
  };
  try {
    const service = await start('../src/server.js', { WEB_CONCURRENCY: flags.processes });
    if (flags.soak !== undefined) return await soak(service, fixtures, Number(flags.soak));
    const isSingle = flags.processes === '1';
    const floor = await (isSingle ? start('floor.js') : start('../src/server.js'));
    const minimal = isSingle ? await start('minimal-floor.js') : undefined;
    await compareAll(fixtures, { service, floor, minimal, fixed: isSingle ? floor : undefined, settle, databaseTimes });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await database.end();
    await rm(folder, { recursive: true, force: true });
  }
}

const url = process.env['DATABASE_URL'];
if (flags.help || url === undefined) {
  process.stdout.write(`${help}\n`);
  process.exitCode = flags.help ? 0 : 1;
} else {
  await main(url);
}
