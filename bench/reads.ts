import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createTokens } from '../src/features/auth/tokens.ts';
import { type Read, reads } from './reads/cases.ts';
import { readMetrics, type Server, startServer } from './servers.ts';

const help = `Measures every GET operation of the API document on the database named by DATABASE_URL, one request at a time.

  npm run bench:data -- --scale full --reads-only     first, on an empty database
  npm run bench:reads
  npm run bench:reads -- --only listProjects --runs 20

Responses never come from the list cache. Times are until the last byte, in milliseconds; the delay is the p99 of the
service's event loop during the measurement. The table is printed and written to bench/results/.`;

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '9' },
    help: { type: 'boolean', default: false },
  },
});

type Document = { paths: Record<string, { get?: { operationId: string } }> };
type Line = { operation: string; read: Read; times: number[]; bytes: number; delay: number; status: number };

/** Throws if an operation is not measured, or a measured one no longer exists. */
async function operationIds(): Promise<string[]> {
  const document = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as Document;
  const ids = Object.values(document.paths).flatMap(({ get }) => (get === undefined ? [] : [get.operationId]));
  const missing = [...ids.filter((id) => !(id in reads)), ...Object.keys(reads).filter((id) => !ids.includes(id))];
  if (missing.length > 0) throw new Error(`bench/reads/cases.ts and docs/openapi.json differ in ${missing.join(', ')}`);
  return ids;
}

const findOwner = 'SELECT user_id::integer AS id FROM projects WHERE id = 1';
const signIn = `INSERT INTO sign_ins (user_id, expires_at) VALUES ($1, now() + interval '1 day') RETURNING id`;

/** A token for each kind of caller. */
async function createCallers(database: pg.Pool, secret: string): Promise<Record<NonNullable<Read['as']>, string>> {
  const tokens = createTokens({ secrets: [secret], accessSeconds: 86_400, clock: () => new Date() });
  const tokenOf = async (user_id: number) => {
    const [row] = (await database.query<{ id: string }>(signIn, [user_id])).rows;
    return tokens.sign({ user_id, sign_in_id: row?.id ?? '' });
  };
  const owner = (await database.query<{ id: number }>(findOwner)).rows[0]?.id;
  if (owner === undefined) throw new Error('the database contains no projects: run npm run bench:data first');
  return {
    admin: await tokenOf(21),
    student: await tokenOf(5000),
    busy: await tokenOf(1),
    owner: await tokenOf(owner),
  };
}

async function measure(origin: string, read: Read, token: string | undefined): Promise<Omit<Line, 'operation'>> {
  const times: number[] = [];
  let [bytes, status] = [0, 0];
  for (let run = -2; run < Number(flags.runs); run += 1) {
    if (run === 0) await readMetrics(origin);
    const url = new URL(read.path, origin);
    // A different query string for the same page each time, or it would come from the cache.
    if (url.pathname === '/api/projects') url.searchParams.set('limit', `${'0'.repeat(run + 3)}10`);
    const started = performance.now();
    const response = await fetch(url, {
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), 'accept-encoding': 'identity' },
    });
    bytes = (await response.arrayBuffer()).byteLength;
    status = response.status;
    if (run >= 0) times.push(performance.now() - started);
  }
  return { read, times: times.sort((a, b) => a - b), bytes, status, delay: (await readMetrics(origin)).delay };
}

function table(lines: readonly Line[]): string {
  const rows = lines.map(({ operation, read, times, bytes, delay, status }) => [
    operation,
    read.name ?? '',
    read.as ?? '',
    (times[Math.floor(times.length / 2)] ?? 0).toFixed(1),
    (times.at(-1) ?? 0).toFixed(1),
    read.target ?? '–',
    bytes,
    Math.max(0, delay).toFixed(0),
    status,
  ]);
  const head = ['operation', 'request', 'caller', 'median ms', 'longest ms', 'target', 'bytes', 'delay ms', 'status'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

async function measureAll(service: Server, callers: Awaited<ReturnType<typeof createCallers>>): Promise<Line[]> {
  const lines: Line[] = [];
  for (const operation of (await operationIds()).filter((id) => id.includes(flags.only)))
    for (const read of reads[operation] ?? []) {
      const line = { operation, ...(await measure(service.origin, read, read.as && callers[read.as])) };
      lines.push(line);
      process.stderr.write(`${table([line]).split('\n')[2]}\n`);
    }
  return lines;
}

async function main(url: string): Promise<void> {
  const secret = randomBytes(48).toString('base64');
  const folder = await mkdtemp(join(os.tmpdir(), 'studytrack-bench-'));
  const database = new pg.Pool({ connectionString: url, max: 1 });
  const service = await startServer('../src/server.js', {
    DATABASE_URL: url,
    JWT_SECRET: secret,
    DATA_DIR: join(folder, 'data'),
    UPLOADS_DIR: join(folder, 'uploads'),
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    CONTACT_FLOOD_PER_MINUTE: '0',
    NODE_ENV: 'production',
  });
  try {
    const text = table(await measureAll(service, await createCallers(database, secret)));
    process.stdout.write(text);
    await mkdir('bench/results', { recursive: true });
    const stamp = new Date().toISOString().slice(0, 16).replace(':', '');
    await writeFile(`bench/results/${stamp}-reads.md`, `npm run bench:reads\n\n${text}`);
  } finally {
    await service.stop();
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
