import type { Knex } from 'knex';
import type pg from 'pg';
import { migrateTo } from '../migrate.ts';
import { compareApplied, listMigrations, readApplied, UnusableSchemaError } from '../migration-files.ts';
import { BackupError, connect, listTables, type Manifest, quote } from './archive.ts';

const notEmpty =
  'The database is not empty. Restore into a new one (createdb, or another DATA_DIR), or replace its data with --replace.';

/** The database has no tables, or those of the service. */
export async function assertOwn(client: pg.Client): Promise<void> {
  const [table] = await listTables(client);
  const { rows } = await client.query<{ migrated: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS migrated`,
  );
  if (table !== undefined && rows[0]?.migrated !== true)
    throw new BackupError(`The database has a table of another application: ${table.name}.`);
}

export async function assertEmpty(client: pg.Client): Promise<void> {
  if (await holdsData(client)) throw new BackupError(notEmpty);
}

/** Whether there is anything that a restore would replace. */
export async function hasData(url: string): Promise<boolean> {
  const client = await connect(url);
  try {
    return await holdsData(client);
  } finally {
    await client.end();
  }
}

/** False for a database without tables, or with the service's tables but no data, as after a failed restore. */
async function holdsData(client: pg.Client): Promise<boolean> {
  const names = new Set((await listTables(client)).map((table) => table.name));
  for (const name of ['users', 'contact_requests'].filter((wanted) => names.has(wanted))) {
    const found = await client.query(`SELECT FROM ${quote(name)} LIMIT 1`);
    if (found.rowCount !== 0) return true;
  }
  return false;
}

/**
 * Gives the database the schema with which the backup was written. Throws, and changes nothing, if this version does not know that
 * schema, or if data would be lost on the way to it.
 */
export async function createSchemaOf({ version, migrations }: Manifest, knex: Knex, client: pg.Client): Promise<void> {
  const known = await listMigrations();
  const newer = await compareApplied(migrations, known).catch((error: unknown) => {
    throw error instanceof UnusableSchemaError
      ? new BackupError(`The backup was written with another schema, by version ${version}: ${error.message}`)
      : error;
  });
  if (newer.length > 0)
    throw new BackupError(`The backup was written by the newer version ${version}; restore it with that version.`);
  const applied = await readApplied(knex);
  if ((await compareApplied(applied, known)).length > 0)
    throw new BackupError('The database has the schema of a newer version; restore into a new one.');
  const last = migrations.at(-1)?.name ?? '';
  if (applied.some(({ name }) => name > last) && (await holdsData(client)))
    throw new BackupError(
      `The backup is of an earlier schema, of version ${version}: restore it into an empty database.`,
    );
  await migrateTo(knex, last);
}
