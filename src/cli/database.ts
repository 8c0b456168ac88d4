import { loadConfig } from '../boot/load-config.ts';
import { type PreparedDatabase, prepareDatabase } from '../boot/prepare-database.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { createLogger } from '../lib/log/logger.ts';

/** Runs work on the configured or embedded database, without statement timeouts, because commands read whole tables. */
export async function withDatabase<T>(
  work: (database: Database, config: Config, prepared: PreparedDatabase) => Promise<T>,
  options: { migrate?: boolean } = {},
): Promise<T> {
  const config = loadConfig();
  const prepared = await prepareDatabase(config, createLogger('warn'), {
    ...options,
    timeouts: { statement: 0, idle: 0 },
  });
  try {
    return await work(prepared.database, config, prepared);
  } finally {
    await prepared.close();
  }
}
