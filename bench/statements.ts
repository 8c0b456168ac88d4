import { parseArgs } from 'node:util';
import pg from 'pg';
import { messageOf, operations } from './operations.ts';
import { prepare } from './prepare.ts';
import { cpuTime, runTool, service, startServer, table } from './servers.ts';

const help = `Measures what a request costs Node.js and PostgreSQL, one request at a time, on the database named by DATABASE_URL,
whose server must run on this machine.

  npm run bench:statements                              every operation, 1,000 requests each
  npm run bench:statements -- --only record --runs 200

Prints milliseconds of CPU time in all connections of the service together, and in the service's process. The result is
the 10th percentile, which other load on the machine disturbs least. Written rows stay in the database.`;

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '1000' },
    help: { type: 'boolean', default: false },
  },
});

const listBackends = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** The runs that other load on the machine disturbed least. */
const tenthPercentile = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 10)] ?? Number.NaN;

await runTool(help, flags.help, async (url) => {
  const database = new pg.Pool({ connectionString: url, max: 1 });
  const fixtures = await prepare(database);
  const { origin, pid, stop } = await startServer(service, { DATABASE_URL: url, JWT_SECRET: fixtures.secret });
  const rows: unknown[][] = [];
  try {
    for (const { name, request } of operations.filter(({ name }) => name.includes(flags.only))) {
      const times: { node: number; postgres: number }[] = [];
      const statuses = new Set<number>();
      for (let n = -10; n < Number(flags.runs); n += 1) {
        const { path, ...message } = messageOf(request(n + 10, fixtures), fixtures);
        const { rows } = await database.query<{ pid: number }>(listBackends);
        const backends = rows.map(({ pid }) => pid);
        const before = [await cpuTime([pid]), await cpuTime(backends)] as const;
        const response = await fetch(`${origin}${path}`, message);
        await response.arrayBuffer();
        const after = [await cpuTime([pid]), await cpuTime(backends)] as const;
        statuses.add(response.status);
        if (n >= 0) times.push({ node: after[0] - before[0], postgres: after[1] - before[1] });
      }
      const [node, postgres] = [times.map((time) => time.node), times.map((time) => time.postgres)].map(
        tenthPercentile,
      );
      rows.push([name, postgres?.toFixed(3), node?.toFixed(3), [...statuses].join(' ')]);
    }
    process.stdout.write(table(['operation', 'PostgreSQL ms', 'Node.js ms', 'status'], rows));
  } finally {
    await stop();
    await database.end();
  }
});
