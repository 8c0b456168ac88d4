import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { openDatabase, sql } from '../src/db/database.ts';
import { createTokens } from '../src/features/auth/tokens.ts';
import { type Measured, operations } from './operations.ts';

const help = `Measures the service against the floor, alternately, on the database named by DATABASE_URL.

  npm run bench:data -- --scale small     first, on an empty database
  npm run bench                           all operations, 16 connections, 5 rounds of 3 s each
  npm run bench -- --only list --connections 1,16,64 --rounds 5 --seconds 3

Every result is the service's requests per second divided by the floor's in the same round; the median counts.
The table is printed and written to bench/results/.`;

type Result = { rate: number; p50: number; p99: number; errors: number };
type Line = {
  operation: string;
  connections: number;
  ratio: number;
  service: Result;
  floor: Result;
  target: number | undefined;
};
type Side = { origin: string; tokens: Map<number, string> };

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});

const median = (numbers: readonly number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Starts a built file, as production runs it: what a loader of TypeScript adds at run time is not measured. */
function start(file: string, environment: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, file)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The address that a process prints as JSON once it listens. The rest of its output is read and dropped, as a log collector would. */
async function originOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the output is not read');
  const lines = createInterface(child.stdout);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a server ended with ${code}`)));
    lines.on('line', (line) => {
      const origin = /"origin":"([^"]+)"/.exec(line)?.[1];
      if (origin !== undefined) resolve(origin);
    });
  });
}

async function measure(side: Side, operation: Measured, caller: number, connections: number): Promise<Result> {
  let n = 0;
  const request = {
    method: operation.method,
    headers: { authorization: `Bearer ${side.tokens.get(caller)}`, 'content-type': 'application/json' },
    setupRequest: (sent: autocannon.Request) => {
      n += 1;
      const body = operation.body?.(n, caller);
      return { ...sent, path: operation.path(n), ...(body !== undefined && { body: JSON.stringify(body) }) };
    },
  };
  const result = await autocannon({
    url: side.origin,
    connections,
    duration: Number(flags.seconds),
    requests: [request],
  });
  return {
    rate: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: result.non2xx + result.errors + result.timeouts,
  };
}

async function compare(operation: Measured, connections: number, service: Side, floor: Side): Promise<Line> {
  const [ours, bare]: [Result[], Result[]] = [[], []];
  for (let round = 0; round <= Number(flags.rounds); round += 1) {
    const a = await measure(service, operation, operation.callers[0], connections);
    const b = await measure(floor, operation, operation.callers[1], connections);
    if (round === 0) continue; // warming up
    ours.push(a);
    bare.push(b);
  }
  const middle = (results: readonly Result[]): Result => ({
    rate: median(results.map((result) => result.rate)),
    p50: median(results.map((result) => result.p50)),
    p99: median(results.map((result) => result.p99)),
    errors: results.reduce((sum, result) => sum + result.errors, 0),
  });
  const ratio = median(ours.map((result, index) => result.rate / (bare[index]?.rate ?? Number.NaN)));
  return {
    operation: operation.name,
    connections,
    ratio,
    service: middle(ours),
    floor: middle(bare),
    target: operation.target,
  };
}

function table(lines: readonly Line[]): string {
  const head =
    '| operation | connections | ratio | target | service/s | p50 ms | p99 ms | floor/s | errors |\n|---|---|---|---|---|---|---|---|---|';
  const rows = lines.map(({ operation, connections, ratio, target, service, floor }) =>
    [
      operation,
      connections,
      ratio.toFixed(2),
      target?.toFixed(2) ?? '–',
      Math.round(service.rate),
      service.p50,
      service.p99,
      Math.round(floor.rate),
      service.errors + floor.errors,
    ].join(' | '),
  );
  return `${head}\n${rows.map((row) => `| ${row} |`).join('\n')}\n`;
}

async function main(url: string): Promise<void> {
  const secret = randomBytes(48).toString('base64');
  const database = openDatabase({ url, poolSize: 2 });
  const tokens = createTokens({ secrets: [secret], accessSeconds: 86_400, clock: () => new Date() });
  const signIn = sql(`INSERT INTO sign_ins (user_id, expires_at) VALUES ($1, now() + interval '1 day') RETURNING id`);
  const signed = new Map<number, string>();
  for (const user_id of new Set(operations.flatMap((operation) => operation.callers))) {
    const [row] = await database.rows<{ id: string }>(signIn, [user_id]);
    signed.set(user_id, tokens.sign({ user_id, sign_in_id: row?.id ?? '' }));
  }
  await database.close();

  const environment = {
    DATABASE_URL: url,
    JWT_SECRET: secret,
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    NODE_ENV: 'production',
  };
  const children = [start('../src/server.js', environment), start('floor.js', environment)];
  try {
    const [service = '', floor = ''] = await Promise.all(children.map(originOf));
    const lines: Line[] = [];
    for (const operation of operations.filter(({ name }) => name.includes(flags.only))) {
      for (const connections of flags.connections.split(',').map(Number)) {
        const line = await compare(
          operation,
          connections,
          { origin: service, tokens: signed },
          { origin: floor, tokens: signed },
        );
        lines.push(line);
        process.stderr.write(`${line.operation} (${connections}): ${line.ratio.toFixed(2)}\n`);
      }
    }
    process.stdout.write(table(lines));
    await mkdir('bench/results', { recursive: true });
    const stamp = new Date().toISOString().slice(0, 16).replace(':', '');
    await writeFile(`bench/results/${stamp}.md`, table(lines));
  } finally {
    for (const child of children) child.kill('SIGTERM');
  }
}

const url = process.env['DATABASE_URL'];
if (flags.help || url === undefined) {
  process.stdout.write(`${help}\n`);
  process.exitCode = flags.help ? 0 : 1;
} else {
  await main(url);
}
