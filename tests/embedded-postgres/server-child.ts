import { Client } from 'pg';
import { type EmbeddedOptions, startEmbeddedPostgres } from '../../src/embedded-postgres/index.ts';
import type { ChildCommand, ChildReport } from './support.ts';

// A process that runs the embedded server as the service would; the tests start, command and kill it.

const options = JSON.parse(process.argv[2] ?? '{}') as EmbeddedOptions;
const report = (message: ChildReport) => process.send?.(message);

/** Inserts row after row, and tells of each once its commit was acknowledged. */
async function insertForEver(url: string): Promise<void> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('create table if not exists entries (id int primary key)');
  for (let id = 1; ; id++) {
    await client.query('insert into entries values ($1)', [id]);
    report({ acknowledged: id });
  }
}

try {
  const server = await startEmbeddedPostgres({ ...options, log: (message) => report({ log: message }) });
  const { url, pid } = server;
  process.on('message', async (command: ChildCommand) => {
    if (command === 'insert') await insertForEver(url).catch(() => undefined);
    if (command === 'stop') await server.stop();
    if (command === 'stop') process.disconnect(); // nothing else keeps the process
  });
  report({ started: { url, pid } });
} catch (error) {
  report({ failed: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  process.disconnect();
}
