import cluster from 'node:cluster';
import { provideFirstAdmin } from './boot/first-admin.ts';
import { findTokenSecrets } from './boot/kept-secret.ts';
import { loadConfig } from './boot/load-config.ts';
import { prepareDatabase } from './boot/prepare-database.ts';
import { installShutdownHandlers } from './boot/process-end.ts';
import { startService } from './boot/service.ts';
import { operatorLines, printError } from './boot/start-error.ts';
import { firstSteps, whereabouts } from './boot/welcome.ts';
import { startWorkers } from './boot/workers.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { createLogger, type Logger } from './lib/logger.ts';

/** The whole service, or with WEB_CONCURRENCY the process above the workers: database, secrets, administrator, address. */
async function start(config: Config, logger: Logger): Promise<void> {
  const prepared = await prepareDatabase(config, logger);
  try {
    const { database, url } = prepared;
    const secrets = await findTokenSecrets(config);
    const newAdmin = await provideFirstAdmin(config, database);
    const several = config.processes > 1;
    const service = several
      ? await startWorkers({ config, url, secrets, logger })
      : await startService({ config, database, secrets, logger });
    installShutdownHandlers(() => service.stop().finally(prepared.close), config.shutdownSeconds, logger);

    const origin = config.publicUrl ?? service.origin;
    logger.info({ origin, processes: config.processes }, 'ready');
    if (!config.production) process.stdout.write(whereabouts(origin));
    if (newAdmin !== undefined) process.stdout.write(firstSteps(origin, newAdmin));
  } catch (error) {
    await prepared.close();
    throw error;
  }
}

/** One of several: everything is prepared by the process above, and found in the settings. */
async function startWorker(config: Config, logger: Logger): Promise<void> {
  const { url = '', poolSize, guardTransactions } = config.database;
  const database = openDatabase({ url, poolSize, guardTransactions });
  const service = await startService({ config, database, secrets: config.tokens.secrets, logger });
  installShutdownHandlers(() => service.stop().finally(database.close), config.shutdownSeconds, logger);
  process.send?.(service.origin);
}

const usage = `
Starts the service: npm start, or npm run dev to start it again at each change of the code.

Settings come from the environment or a .env file; .env.example lists them all. Without DATABASE_URL it starts
a PostgreSQL of its own under ./data.
`;

try {
  if (process.argv.includes('--help')) {
    process.stdout.write(usage);
    process.exit();
  }
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  await (cluster.isWorker ? startWorker : start)(config, logger);
} catch (error) {
  const lines = operatorLines(error) ?? [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  for (const line of lines) printError(line);
  process.exit(1);
}
