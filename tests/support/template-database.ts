import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/db/database.ts';
import { migrateToLatest } from '../../src/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's maintenance database, and the migrated database that every test file clones. */
    adminUrl: string;
    template: string;
  }
}

/** One migrated template for the whole run, on the server named by TEST_DATABASE_URL or on a throw-away embedded one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const template = `studytrack_template_${process.pid}`;
  const admin = new pg.Client(server.adminUrl);
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${template} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'`);
  const database = openDatabase({ url: withDatabase(server.adminUrl, template), poolSize: 2 });
  await migrateToLatest(database.knex);
  await database.close();
  project.provide('adminUrl', server.adminUrl);
  project.provide('template', template);
  return async () => {
    await admin.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await admin.end();
    await server.stop();
  };
}

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

async function startServer(): Promise<{ adminUrl: string; stop: () => Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') return { adminUrl: given, stop: async () => undefined };
  const { startEmbeddedPostgres } = await import('../../src/embedded-postgres/index.ts');
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'studytrack-test-'));
  const embedded = await startEmbeddedPostgres({ dataDir, durable: false });
  return {
    adminUrl: embedded.adminUrl,
    stop: async () => {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
