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
    /** Of the server's Unix socket; empty if it has none that clients can name. */
    socketFolder: string;
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
  project.provide('socketFolder', server.socketFolder);
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

const longestSocketPath = 100; // the limit is 103 bytes on macOS, 107 on Linux

async function startServer(): Promise<{ adminUrl: string; socketFolder: string; stop: () => Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') return { adminUrl: given, socketFolder: '', stop: async () => undefined };
  const { startEmbeddedPostgres } = await import('../../src/embedded-postgres/index.ts');
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'studytrack-test-'));
  const embedded = await startEmbeddedPostgres({ dataDir, durable: false });
  const folder = path.join(dataDir, 'postgres/data');
  const isReachable = process.platform !== 'win32' && `${folder}/.s.PGSQL.65535`.length <= longestSocketPath;
  return {
    adminUrl: embedded.adminUrl,
    socketFolder: isReachable ? folder : '',
    stop: async () => {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
