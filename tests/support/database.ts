import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { openPlainSql, type PlainSql } from './plain-sql.ts';
import { withDatabase } from './template-database.ts';

/** Milliseconds, far beyond those of the service: on a slow machine a test waits where a request would be rejected. */
export const patientTimeouts = { statement: 120_000, lock: 90_000, idle: 300_000, connect: 60_000 };

let clones = 0;

/** By the server's Unix socket, which takes two thirds of the processor time of TCP. Other servers, and proxies, are left alone. */
export function nearest(url: string): string {
  const [folder, { host, port }] = [inject('socketFolder'), new URL(inject('adminUrl'))];
  return folder === '' ? url : url.replace(`@${host}/`, `@${encodeURIComponent(folder)}:${port}/`);
}

export type TestDatabase = { url: string; database: Database; sql: PlainSql; drop(): Promise<void> };

/** A database of the test's own: a copy of the migrated template, or of another one, or empty. Dropped by the test that made it. */
export async function createTestDatabase({ empty = false, copyOf = '', poolSize = 5 } = {}): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl');
  clones += 1;
  const name = `studytrack_test_${process.pid}_${clones}`;
  const template = copyOf === '' ? inject('template') : new URL(copyOf).pathname.slice(1);
  const from = empty ? `template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'` : template;
  // Without durability, less than half the work of copying by WAL; on another server it would wait for the disk.
  const strategy = inject('socketFolder') === '' ? '' : ' STRATEGY file_copy';
  await onServer(adminUrl, [
    `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`,
    `CREATE DATABASE ${name} TEMPLATE ${from}${strategy}`,
  ]);
  const url = withDatabase(adminUrl, name);
  const database = openDatabase({ url: nearest(url), poolSize, timeouts: patientTimeouts });
  const sql = openPlainSql(nearest(url));
  return {
    url,
    database,
    sql,
    drop: async () => {
      await Promise.all([database.close(), sql.close()]);
      await onServer(adminUrl, [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`]);
    },
  };
}

async function onServer(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(nearest(url));
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
