import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  readServerSettings,
  type ServerSettings,
} from '../db/database.ts';
import { type Migrated, migrateToLatest } from '../db/migrate.ts';
import { startEmbeddedPostgres } from '../embedded-postgres/index.ts';
import type { Logger } from '../lib/log/logger.ts';
import { hostOf } from '../lib/network/address.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { printError } from './start-error.ts';

const probeTimeout = 2_000; // ms

/** Waits for a database that is starting. Throws OperatorError after the timeout, or immediately for a permanent error. */
async function waitForDatabase<T>(read: () => Promise<T>, url: string, timeoutSeconds: number): Promise<T> {
  const { host } = new URL(url);
  const deadline = Date.now() + timeoutSeconds * 1000;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const reason = cause instanceof Error ? cause.message || codeOf(cause) : String(cause);
      if (isFinal(codeOf(cause))) throw new OperatorError(`DATABASE_URL: cannot connect to ${host}: ${reason}`);
      if (reason === 'The server does not support SSL connections')
        throw new OperatorError(`DATABASE_URL: the server at ${host} has no TLS; enable it there, or remove sslmode`);
      if (codeOf(cause) !== 'ECONNREFUSED' && (await speaksAnotherProtocol(url)))
        throw new OperatorError(`DATABASE_URL: the server at ${host} is not PostgreSQL; check host and port`);
      if (Date.now() >= deadline)
        throw new OperatorError(`DATABASE_URL: no database at ${host} after ${timeoutSeconds} seconds: ${reason}`);
      if (attempt % 3 === 0) printError(`Waiting for the database at ${host}: ${reason}`);
      await delay(1000);
    }
  }
}

function isFinal(code: string): boolean {
  return code === 'ENOTFOUND' || code === '3D000' || code.startsWith('28');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Sends an SSLRequest, to which PostgreSQL replies with S, N or an error (E…). */
async function speaksAnotherProtocol(url: string): Promise<boolean> {
  const server = new URL(url);
  if (server.hostname === '') return false; // a Unix socket
  const socket = connect({ host: hostOf(server), port: Number(server.port || 5432), timeout: probeTimeout });
  try {
    await once(socket, 'connect');
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    const reply = await Promise.race([
      once(socket, 'data').then(([bytes]: Buffer[]) => bytes?.toString('latin1') ?? ''),
      once(socket, 'timeout').then(() => ''),
      once(socket, 'close').then(() => ''),
    ]);
    return reply !== '' && !/^(S|N|E.*)$/s.test(reply);
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export type PreparedDatabase = {
  database: Database;
  url: string;
  migrated: Migrated;
  close(): Promise<void>;
};

type Options = {
  migrate?: boolean;
  timeoutSeconds?: number;
  /** Of the returned pool; default: those of requests. */
  timeouts?: DatabaseOptions['timeouts'];
};

export async function prepareDatabase(
  config: Config,
  logger: Logger,
  { migrate = true, timeoutSeconds = 30, timeouts = {} }: Options = {},
): Promise<PreparedDatabase> {
  const given = config.database.url;
  const server =
    given === undefined
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, log: (message) => logger.info(message), onExit })
      : { url: given, stop: async () => undefined };
  try {
    const migrated = await updateSchema(server.url, { migrate, timeoutSeconds }, config, logger);
    const { poolSize, guardTransactions } = config.database;
    const database = openDatabase({ url: server.url, poolSize, guardTransactions, timeouts });
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

function onExit(message: string): void {
  printError(message);
  process.exit(1);
}

/** Uses a pool without timeouts, because migrations of large tables take long. */
async function updateSchema(
  url: string,
  { migrate, timeoutSeconds }: { migrate: boolean; timeoutSeconds: number },
  config: Config,
  logger: Logger,
): Promise<Migrated> {
  const database = openDatabase({ url, poolSize: 2, timeouts: { statement: 0, lock: 0, idle: 0 } });
  try {
    const settings = await waitForDatabase(() => readServerSettings(database), url, timeoutSeconds);
    assertSuitable(settings, config.processes * config.database.poolSize);
    const migrated = migrate ? await migrateToLatest(database.knex) : { migrations: [], newer: [] };
    if (migrated.migrations.length > 0) logger.info({ migrations: migrated.migrations }, 'database schema migrated');
    if (migrated.newer.length > 0) {
      logger.warn({ newer: migrated.newer }, 'the schema has a newer version than the service; it was not changed');
    }
    return migrated;
  } catch (error) {
    throw explained(error, url);
  } finally {
    await database.close();
  }
}

/** A failure of a migration that an operator can remove, in words. */
function explained(error: unknown, url: string): unknown {
  const { username, pathname } = new URL(url);
  const [role, name] = [username || 'the role', decodeURIComponent(pathname.slice(1))];
  const words: Readonly<Record<string, string>> = {
    42501: `${role} may not create the tables; let it own the database: ALTER DATABASE "${name}" OWNER TO "${role}"`,
    25006: 'the server or the database is read-only; the service needs the primary server',
    53100: 'the disk of the database is full',
  };
  const text = words[codeOf(error)];
  return text === undefined ? error : new OperatorError(`DATABASE_URL: ${text}`);
}

function assertSuitable({ version, encoding, connections }: ServerSettings, neededConnections: number): void {
  if (version < 150_000) throw new OperatorError('DATABASE_URL: PostgreSQL 15 or later is required');
  if (encoding !== 'UTF8')
    throw new OperatorError(`DATABASE_URL: the database must be encoded as UTF8, not ${encoding}`);
  if (neededConnections > connections) {
    // Only a warning: the pools may never fill, or a pooler may accept more connections.
    printError(
      `WEB_CONCURRENCY × DATABASE_POOL_SIZE = ${neededConnections} exceeds the ${connections} connections of the database`,
    );
  }
}
