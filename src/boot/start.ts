import cluster from 'node:cluster';
import type { Config } from '../config/config.ts';
import { findMissingSettings, openDatabase } from '../db/database.ts';
import { createLogger, flush, type Logger } from '../lib/log/logger.ts';
import { parseOptions, UsageError } from '../lib/parse-options.ts';
import { version } from '../project-root.ts';
import { loadConfig } from './load-config.ts';
import { findTokenSecrets, preflight } from './preflight.ts';
import { prepareDatabase } from './prepare-database.ts';
import { installShutdownHandlers, type Shutdown } from './shutdown.ts';
import { printError, startErrorLines } from './start-error.ts';
import { prepareWelcome } from './welcome.ts';
import { startWorkers, type WorkerMessage } from './workers.ts';

async function start(config: Config, logger: Logger, shutdown: Shutdown): Promise<void> {
  await preflight(config);
  const application = config.processes === 1 ? loadApplication() : undefined; // while the database starts
  const prepared = await prepareDatabase(config, logger);
  shutdown.onStop(prepared.close);
  const { database, url } = prepared;
  const missing = await findMissingSettings(database).catch(() => []); // an outage is logged by those who wait for it
  if (missing.length > 0) logger.warn({ settings: missing }, 'settings of the connections are missing');
  const secrets = await findTokenSecrets(config);
  const welcome = await prepareWelcome({ config, database, secrets, logger });

  const serve = async () => {
    if (application !== undefined) {
      const { startService } = await application;
      const running = { ...config, database: { ...config.database, url } };
      const service = await startService({ config: running, database, secrets, logger });
      shutdown.onStop(service.stop);
      return service.origin;
    }
    const workers = startWorkers({ config, url, secrets, logger });
    shutdown.onStop(workers.stop);
    return workers.serving;
  };
  const served = await serve();
  if (shutdown.requested) return;
  const origin = config.publicUrl ?? served;
  const { port } = new URL(served);
  logger.info({ origin, host: config.host, port: Number(port), processes: config.processes }, 'ready');
  await flush(logger);
  process.stdout.write(welcome(origin));
}

/** Loads most of the code. A failure is thrown where the result is awaited. */
function loadApplication(): Promise<typeof import('./service.ts')> {
  const loading = import('./service.ts');
  loading.catch(() => undefined);
  return loading;
}

/** The primary process passes the generated settings in the environment. */
async function startWorker(config: Config, logger: Logger, shutdown: Shutdown): Promise<void> {
  const { url = '', poolSize, guardTransactions } = config.database;
  const database = openDatabase({ url, poolSize, guardTransactions });
  shutdown.onStop(database.close);
  const { startService } = await loadApplication();
  const service = await startService({ config, database, secrets: config.tokens.secrets, logger });
  shutdown.onStop(service.stop);
  const message: WorkerMessage = { type: 'serving', origin: service.origin };
  process.send?.(message);
}

const usage = `
Starts the service: studytrack start; in a checkout npm start, or npm run dev to restart it when the code changes.

  --port NUMBER   the port to listen on, instead of PORT (npm start -- --port 4000)
  --version       prints the version

Settings come from the environment or a .env file; .env.example lists them all. Without DATABASE_URL it starts
an embedded PostgreSQL in ./data.
`;

async function run({ port = '' }): Promise<void> {
  const config = loadConfig(port === '' ? {} : { PORT: port });
  const logger = createLogger(config.logLevel, { messages: config.logsMessages }).child(
    cluster.isWorker ? { worker: process.pid } : {},
  );
  const shutdown = installShutdownHandlers(config.shutdownSeconds, logger);
  logger.debug({ version }, 'starting');
  try {
    await (cluster.isWorker ? startWorker : start)(config, logger, shutdown);
  } catch (error) {
    if (shutdown.requested) return; // an interrupted start may fail; the shutdown continues
    await shutdown.close();
    await flush(logger);
    throw error;
  }
}

const options = { port: { type: 'string' }, version: { type: 'boolean' }, help: { type: 'boolean' } } as const;

try {
  const args = process.argv.slice(2).filter((arg, index) => index > 0 || arg !== 'start'); // or: studytrack start
  const { values, positionals } = parseOptions(args, options);
  if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}"; see --help`);
  if (values.help === true) process.stdout.write(usage);
  else if (values.version === true) process.stdout.write(`${version}\n`);
  else await run(values);
} catch (error) {
  const lines = startErrorLines(error) ?? [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  for (const line of lines) printError(line);
  process.exit(1);
}
