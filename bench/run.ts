import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';
import pg from 'pg';
import { createFloorTables, floorOptions } from './floor-tables.ts';
import { messageOf, type Operation, operations } from './operations.ts';
import { type Fixtures, prepare } from './prepare.ts';
import {
  cpuTime,
  cpuTimeOfFamily,
  databaseUrl,
  median,
  parentOf,
  readFlags,
  type Server,
  script,
  service,
  startServer,
  table,
} from './servers.ts';

const help = `Compares the service with a minimal floor and a textbook server, alternating, on the database named by DATABASE_URL.

  npm run bench:data -- --scale small    first, on an empty database
  npm run bench                          all operations at 1, 16 and 64 connections, 5 rounds of 3 s each
  npm run bench -- --only record --connections 16 --rounds 3 --seconds 2

The floor (minimal-floor.ts) is a bare node:http server with the smallest prepared statements that do the same work; the
textbook server (textbook.ts) is what Express and Knex give without further effort. Both have their own tables in the
schema bench. A ratio is the service's requests per second divided by the other's in the same round; the result is the
median of the rounds. A CPU ratio is the service's CPU time per request divided by the other's, in Node.js and in PostgreSQL
together, which must run on this machine; it is the one to look at while the machine is used by others.`;

const flags = readFlags(help, { only: '', connections: '1,16,64', rounds: '5', seconds: '3' });

type Measured = { rate: number; p50: number; p99: number; errors: number; node: number; postgres: number };
type Sides = Readonly<Record<'service' | 'floor' | 'textbook', Server>>;
type Bench = { database: pg.Pool; vacuums: boolean; fixtures: Fixtures; sides: Sides };

/** Statements of requests that the load generator has given up, which take seconds in the textbook server. */
const countRunning = `SELECT count(*)::integer AS running FROM pg_stat_activity
  WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`;
let requestCount = 0;

async function measure({ database, fixtures }: Bench, server: Server, operation: Operation, connections: number) {
  while ((await database.query<{ running: number }>(countRunning)).rows[0]?.running !== 0) await setTimeout(100);
  const { rows } = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const postmaster = await parentOf(rows[0]?.pid ?? 0);
  const before = [await cpuTime(server.pid), await cpuTimeOfFamily(postmaster)] as const;
  const setupRequest = (sent: autocannon.Request) => {
    requestCount += 1;
    return { ...sent, ...messageOf(operation.request(requestCount, fixtures), fixtures) };
  };
  const options = { url: server.origin, connections, duration: Number(flags.seconds), requests: [{ setupRequest }] };
  const { requests, latency, non2xx, errors, timeouts } = await autocannon(options);
  return {
    rate: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    errors: non2xx + errors + timeouts,
    node: ((await cpuTime(server.pid)) - before[0]) / requests.total,
    postgres: ((await cpuTimeOfFamily(postmaster)) - before[1]) / requests.total,
  };
}

async function compare(bench: Bench, operation: Operation, connections: number): Promise<unknown[]> {
  const rounds: Record<keyof Sides, Measured>[] = [];
  for (let round = 0; round <= Number(flags.rounds); round += 1) {
    if (!bench.vacuums) await bench.database.query('VACUUM ANALYZE');
    const service = await measure(bench, bench.sides.service, operation, connections);
    const floor = await measure(bench, bench.sides.floor, operation, connections);
    const textbook = await measure(bench, bench.sides.textbook, operation, connections);
    if (round > 0) rounds.push({ service, floor, textbook }); // the first one warms up
  }
  const of = (side: keyof Sides, field: keyof Measured) => median(rounds.map((round) => round[side][field]));
  const ratio = (side: keyof Sides, measure: (measured: Measured) => number) =>
    median(rounds.map((round) => measure(round.service) / measure(round[side]))).toFixed(2);
  const rate = (side: keyof Sides) => ratio(side, (measured) => measured.rate);
  const cpu = (side: keyof Sides) => ratio(side, ({ node, postgres }) => node + postgres);
  const rates = (['service', 'floor', 'textbook'] as const).map((side) => of(side, 'rate').toFixed(0));
  const errors = rounds.flatMap((round) => Object.values(round)).reduce((sum, measured) => sum + measured.errors, 0);
  const [p50, p99, node, postgres] = (['p50', 'p99', 'node', 'postgres'] as const).map((field) => of('service', field));
  return [
    ...[operation.name, connections, rate('floor'), operation.target, rate('textbook'), cpu('floor'), cpu('textbook')],
    ...rates,
    ...[p50, p99, node?.toFixed(3), postgres?.toFixed(3), errors],
  ];
}

const columns = [
  ...['operation', 'connections', 'rate / floor', 'target', 'rate / textbook', 'CPU / floor', 'CPU / textbook'],
  ...['service/s', 'floor/s', 'textbook/s', 'p50 ms', 'p99 ms', 'Node.js ms', 'PostgreSQL ms', 'errors'],
];

async function compareAll(bench: Bench): Promise<void> {
  const rows: unknown[][] = [];
  for (const operation of operations.filter(({ name }) => name.includes(flags.only)))
    for (const connections of flags.connections.split(',').map(Number)) {
      const row = await compare(bench, operation, connections);
      rows.push(row);
      process.stderr.write(`${row.join('  ')}\n`);
    }
  process.stdout.write(table(columns, rows));
}

const url = databaseUrl(help);
const database = new pg.Pool({ connectionString: url, max: 1 });
const { rows } = await database.query("SELECT current_setting('autovacuum')::boolean AS vacuums");
const vacuums = rows[0]?.vacuums === true;
await createFloorTables(database);
const fixtures = await prepare(database);
const settings = { DATABASE_URL: url, JWT_SECRET: fixtures.secret };
const servers: Server[] = [];
const start = async (args: readonly string[], more: NodeJS.ProcessEnv = {}) => {
  const server = await startServer(args, { ...settings, ...more });
  servers.push(server);
  return server;
};
try {
  const sides: Sides = {
    service: await start(service),
    floor: await start(script('minimal-floor.ts'), floorOptions),
    textbook: await start(script('textbook.ts'), floorOptions),
  };
  await compareAll({ database, vacuums, fixtures, sides });
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await database.end();
}
