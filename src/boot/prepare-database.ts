import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { type Database, openDatabase, sql } from '../db/database.ts';
import { startEmbeddedPostgres } from '../db/embedded/index.ts';
import { migrateToLatest } from '../db/migrations.ts';
import type { Logger } from '../lib/logger.ts';
import { printError, StartError } from './start-error.ts';

export type PreparedDatabase = {
  database: Database;
  url: string;
  /** The migrations that ran now. */
  migrated: readonly string[];
  /** Closes the pool, then leaves the embedded server. */
  close(): Promise<void>;
};

type Options = { migrate?: boolean; patienceSeconds?: number };

/**
 * The database named by the settings, or the embedded one: reachable, fit for the service and with its schema at head.
 * Throws StartError or EmbeddedPostgresError.
 */
export async function prepareDatabase(
  config: Config,
  logger: Logger,
  { migrate = true, patienceSeconds = 30 }: Options = {},
): Promise<PreparedDatabase> {
  const given = config.database.url;
  const server =
    given === undefined
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, log: (message) => logger.info(message) })
      : { url: given, stop: async () => undefined };
  try {
    const migrated = await bringToHead(server.url, { migrate, patienceSeconds }, config, logger);
    const { poolSize, guardTransactions } = config.database;
    const database = openDatabase({ url: server.url, poolSize, guardTransactions });
    const close = async () => {
      await database.close();
      await server.stop();
    };
    return { database, url: server.url, migrated, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** On a pool of its own: a migration of a large table may take as long as it takes, a request may not. */
async function bringToHead(
  url: string,
  { migrate, patienceSeconds }: Required<Options>,
  config: Config,
  logger: Logger,
): Promise<string[]> {
  const database = openDatabase({ url, poolSize: 2, timeouts: { statement: 0, lock: 0, idle: 0 } });
  try {
    await waitUntilReachable(database, url, patienceSeconds);
    await assertFit(database, config.processes * config.database.poolSize);
    const migrated = migrate ? await migrateToLatest(database.knex) : [];
    for (const name of migrated) logger.info({ migration: name }, 'migrated');
    return migrated;
  } catch (error) {
    if (error instanceof Error && /migration directory is corrupt/.test(error.message)) {
      throw new StartError(
        'The database was migrated by a newer version of the service, which knows migrations that are not here.',
      );
    }
    throw error;
  } finally {
    await database.close();
  }
}

const ping = sql('SELECT 1');

/** A database that starts together with the service may be late; one that refuses us will not change its mind. */
async function waitUntilReachable(database: Database, url: string, patienceSeconds: number): Promise<void> {
  const { host } = new URL(url);
  const deadline = Date.now() + patienceSeconds * 1000;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await database.rows(ping);
      return;
    } catch (error) {
      const reason = error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error);
      if (isFinal(error)) throw new StartError(`DATABASE_URL: ${host} refuses: ${reason}`);
      if (Date.now() >= deadline) {
        throw new StartError(
          `DATABASE_URL: no database answers at ${host} after ${patienceSeconds} seconds: ${reason}`,
        );
      }
      if (attempt % 3 === 0) printError(`Waiting for the database at ${host}: ${reason}`);
      await delay(1000);
    }
  }
}

/** Wrong name or password, no such database, no such host: waiting does not help. */
function isFinal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === 'ENOTFOUND' || code === '3D000' || code.startsWith('28');
}

const settings = sql(`
  SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
    current_setting('max_connections')::int AS connections`);

async function assertFit(database: Database, wantedConnections: number): Promise<void> {
  const [found] = await database.rows<{ version: number; encoding: string; connections: number }>(settings);
  if (found === undefined) throw new Error('could not read the server version');
  if (found.version < 150_000) throw new StartError('DATABASE_URL: PostgreSQL 15 or later is needed');
  if (found.encoding !== 'UTF8') {
    throw new StartError(`DATABASE_URL: the database must be encoded as UTF8, and it is ${found.encoding}`);
  }
  if (wantedConnections > found.connections) {
    // No refusal: the pools may never fill, and a pooler in front of the database takes more than it does.
    printError(
      `WEB_CONCURRENCY × DATABASE_POOL_SIZE = ${wantedConnections}: more connections than the ${found.connections} the database takes`,
    );
  }
}
