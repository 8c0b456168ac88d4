import type { Knex } from 'knex';
import { version } from '../../lib/version.ts';

/** The oldest version that works on this schema. Raise it in a release that removes or changes what older versions use. */
const oldestSupported = '1.0.0';

export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError';
}

export async function assertSupported(knex: Knex): Promise<void> {
  const [release] = (await knex.schema.hasTable('migrations_release'))
    ? await knex<{ oldest_version: string }>('migrations_release').select('oldest_version')
    : [];
  const oldest = release?.oldest_version;
  if (oldest !== undefined && version.localeCompare(oldest, 'en', { numeric: true }) >= 0) return;
  const needed = oldest === undefined ? 'the version that migrated it' : `version ${oldest} or a later one`;
  throw new NewerSchemaError(
    `The database was migrated by a newer version of the service and does not support version ${version}. Start ${needed}, or restore a backup.`,
  );
}

export async function recordRelease(trx: Knex.Transaction): Promise<void> {
  await trx.raw('CREATE TABLE IF NOT EXISTS migrations_release (oldest_version text NOT NULL)');
  await trx('migrations_release').del();
  await trx('migrations_release').insert({ oldest_version: oldestSupported });
}
