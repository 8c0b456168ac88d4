import type { Knex } from 'knex';
import { version } from '../../lib/version.ts';

/**
 * The oldest version of the service that works on the schema of this one. A release that removes or changes what an
 * older version uses raises it; until then both serve side by side.
 */
const oldestSupported = '1.0.0';

/** The schema is of a newer version, and no longer supports this one. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

/** @throws NewerSchemaError */
export async function assertSupported(knex: Knex): Promise<void> {
  const [release] = (await knex.schema.hasTable('migrations_release'))
    ? await knex<{ oldest_version: string }>('migrations_release').select('oldest_version')
    : [];
  const oldest = release?.oldest_version;
  if (oldest !== undefined && version.localeCompare(oldest, 'en', { numeric: true }) >= 0) return;
  const needed = oldest === undefined ? 'the version that migrated it' : `version ${oldest} or a later one`;
  throw new NewerSchemaError(
    `The database was migrated by a newer version of the service, which version ${version} does not work with. Start ${needed}, or restore a backup.`,
  );
}

/** Records which versions the schema supports, in the transaction that updated it. */
export async function recordRelease(trx: Knex.Transaction): Promise<void> {
  await trx.raw('CREATE TABLE IF NOT EXISTS migrations_release (oldest_version text NOT NULL)');
  await trx('migrations_release').del();
  await trx('migrations_release').insert({ oldest_version: oldestSupported });
}
