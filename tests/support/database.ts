import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { withDatabase } from '../setup/template-database.ts';

let clones = 0;

export type TestDatabase = { url: string; database: Database; drop(): Promise<void> };

/** A database of the test's own: a copy of the migrated template, or an empty one. Dropped by the test that made it. */
export async function createTestDatabase({ empty = false, poolSize = 5 } = {}): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl');
  clones += 1;
  const name = `studytrack_test_${process.pid}_${clones}`;
  const from = empty ? `template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'` : inject('template');
  await onServer(adminUrl, [
    `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`,
    `CREATE DATABASE ${name} TEMPLATE ${from}`,
  ]);
  const url = withDatabase(adminUrl, name);
  const database = openDatabase({ url, poolSize });
  return {
    url,
    database,
    drop: async () => {
      await database.close();
      await onServer(adminUrl, [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`]);
    },
  };
}

async function onServer(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
