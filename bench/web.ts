import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { chromium } from 'playwright-core';
import { prepare } from './prepare.ts';
import { type Server, startServer } from './servers.ts';
import { measureBoard, measureHeap, measureTyping } from './web/interactions.ts';
import { measureLoads } from './web/loads.ts';
import type { Bench, Row } from './web/page.ts';

const help = `Measures the web application in Chromium, on the database named by DATABASE_URL.

  npm run bench:data -- --scale school    first, on an empty database: 5,000 projects, 1,000 users
  npm run bench:web                       5 runs of each page; the result is the median
  npm run bench:web -- --runs 1 --only board

Pages are loaded with 1.6 Mbit/s, 150 ms latency and 4× CPU throttling: largest contentful paint, layout
shift, blocking time. Interactions are measured from the event to the next paint (Event Timing). CHROMIUM is the
path of the browser (default /usr/bin/chromium).`;

const { values: flags } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

const measures = { loads: measureLoads, board: measureBoard, typing: measureTyping, heap: measureHeap };

async function start(url: string, secret: string, folder: string): Promise<Server> {
  return await startServer('../src/server.js', {
    DATABASE_URL: url,
    JWT_SECRET: secret,
    DATA_DIR: join(folder, 'data'),
    UPLOADS_DIR: join(folder, 'uploads'),
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    NODE_ENV: 'development',
  });
}

async function main(url: string): Promise<void> {
  const folder = await mkdtemp(join(os.tmpdir(), 'studytrack-bench-web-'));
  const secret = randomBytes(48).toString('base64');
  const database = new pg.Pool({ connectionString: url, max: 2 });
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  });
  const { password } = await prepare(database, secret, []);
  const server = await start(url, secret, folder);
  try {
    const bench: Bench = { browser, origin: server.origin, password, runs: Number(flags.runs) };
    const rows: Row[] = [];
    for (const [name, run] of Object.entries(measures)) if (name.includes(flags.only)) rows.push(...(await run(bench)));
    process.stdout.write(`| what | measured | goal |\n| --- | --- | --- |\n`);
    for (const { what, measured, goal } of rows) process.stdout.write(`| ${what} | ${measured} | ${goal} |\n`);
  } finally {
    await browser.close();
    await server.stop();
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
