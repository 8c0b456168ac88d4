import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { finished, pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { isStorageName } from '../../lib/storage/storage.ts';
import { type Database, openDatabase } from '../database.ts';
import { migrateToLatest } from '../migrate.ts';
import {
  BackupError,
  connect,
  copyTarget,
  type End,
  eachEntry,
  type Manifest,
  parseEnd,
  parseManifest,
  quote,
} from './archive.ts';
import { assertEmpty, assertOwn, createSchemaOf } from './target-database.ts';

type Target = {
  url: string;
  /** Whether data in the database is replaced. By default it must be empty. */
  replace?: boolean;
  /** Whether the sign-ins, tokens and links of the backup are valid again, and what waited then is sent. */
  keepsAccess?: boolean;
  storeImage: (name: string, file: string) => Promise<void>;
  log: (line: string) => void;
};

/** The administrators, and those of the replaced data. */
export type Restored = End & { administrators: readonly Administrator[]; former: readonly Administrator[] };

/**
 * Restores a backup of this version's schema or an earlier one: creates that schema, loads all rows in one transaction, and runs the
 * migrations since. `open` is called twice. Throws BackupError, and restores nothing, for another archive or a database with data
 * that is not to be replaced.
 */
export async function readBackup(target: Target, open: () => Readable): Promise<Restored> {
  const client = await connect(target.url);
  const database = openDatabase({ url: target.url, poolSize: 2, timeouts: { statement: 0, lock: 0, idle: 0 } });
  try {
    await assertOwn(client);
    if (target.replace !== true) await assertEmpty(client);
    const former = await listAdministrators(client);
    const end = await load({ ...target, knex: database.knex }, client, open);
    await migrateToLatest(database.knex);
    await client.query('ANALYZE');
    return { ...end, administrators: await listAdministrators(client), former };
  } finally {
    await client.end();
    await database.close();
  }
}

type OpenTarget = Target & Pick<Database, 'knex'>;
type Loaded = { manifest: Manifest; end: End };

/** Images are stored when the archive is known to be complete, before the commit. */
async function load(target: OpenTarget, client: pg.Client, open: () => Readable): Promise<End> {
  const { manifest, end } = await loadRows(target, client, open());
  await storeImages(target, open());
  if (target.keepsAccess !== true) await endAccess(client);
  await finish(client, manifest);
  return end;
}

async function loadRows(target: OpenTarget, client: pg.Client, source: Readable): Promise<Loaded> {
  let manifest: Manifest | undefined;
  let end: End | undefined;
  let images = 0;
  const rows: Record<string, number> = {};
  await eachEntry(source, async (kind, name, entry) => {
    if (kind === 'pictures') {
      if (!isStorageName(name)) throw new BackupError('The archive has an image with an invalid name.');
      entry.resume();
      await finished(entry);
      images += 1;
    } else if (kind === 'manifest.json') {
      manifest = parseManifest(await text(entry));
      await prepareTables(target, client, manifest);
    } else if (kind === 'tables') {
      const table = manifest?.tables.find((candidate) => candidate.name === name);
      if (table === undefined)
        throw new BackupError(`The archive has rows of a table that is not in its manifest: ${name}.`);
      if (rows[name] === undefined) target.log(name);
      rows[name] = (rows[name] ?? 0) + (await copyPart(client, entry, copyTarget(table)));
    } else if (kind === 'end.json') end = parseEnd(await text(entry));
    else throw new BackupError('This is not a Studytrack backup.');
  });
  if (manifest === undefined || end === undefined)
    throw new BackupError('The archive is incomplete: end.json is missing.');
  assertCounts(end, rows, images);
  return { manifest, end };
}

function assertCounts(end: End, rows: Readonly<Record<string, number>>, images: number): void {
  for (const [name, expected] of Object.entries(end.rows)) {
    const loaded = rows[name] ?? 0;
    if (loaded !== expected)
      throw new BackupError(`The archive is incomplete: ${loaded} of ${expected} rows of ${name}.`);
  }
  if (images !== end.pictures) throw new BackupError(`The archive is incomplete: ${images} of ${end.pictures} images.`);
}

async function storeImages({ storeImage, log }: Target, source: Readable): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'studytrack-restore-'));
  const file = path.join(folder, 'image');
  let stored = 0;
  try {
    await eachEntry(source, async (kind, name, entry) => {
      if (kind !== 'pictures') {
        entry.resume();
        await finished(entry);
        return;
      }
      await pipeline(entry, createWriteStream(file));
      await storeImage(name, file);
      stored += 1;
      if (stored % 1000 === 0) log(`${stored} images`);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function prepareTables({ knex, log }: OpenTarget, client: pg.Client, manifest: Manifest): Promise<void> {
  log('creating the tables');
  await createSchemaOf(manifest, knex, client);
  await client.query('BEGIN');
  await client.query(`TRUNCATE ${manifest.tables.map(({ name }) => quote(name)).join(', ')} RESTART IDENTITY`);
  // The archive contains what the triggers derive. Constraints stay enabled.
  for (const { name } of manifest.tables) await client.query(`ALTER TABLE ${quote(name)} DISABLE TRIGGER USER`);
}

async function copyPart(client: pg.Client, entry: Readable, into: string): Promise<number> {
  const stream = client.query(copyFrom(`COPY ${into} FROM STDIN`));
  await pipeline(entry, stream);
  return stream.rowCount;
}

async function finish(client: pg.Client, { tables, sequences }: Manifest): Promise<void> {
  for (const { name, last } of sequences) {
    if (last !== null) await client.query('SELECT setval($1::regclass, $2)', [quote(name), last]);
  }
  for (const { name } of tables) await client.query(`ALTER TABLE ${quote(name)} ENABLE TRIGGER USER`);
  await client.query('COMMIT');
}

// A backup also has what was taken away after it: what the deletion of these rows and the next generation of sign-ins end cannot
// come back. Personal tokens and calendar addresses are sign-ins, too.
const statements = [
  'UPDATE users SET sign_in_generation = sign_in_generation + 1',
  'DELETE FROM account_links',
  'DELETE FROM email_changes',
  'DELETE FROM password_reset_requests',
  'DELETE FROM report_links',
  'DELETE FROM sso_attempts',
  'DELETE FROM totp_setups',
  `UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, error_code = 'RESTORED' WHERE state = 'waiting'`,
  `DELETE FROM background_jobs WHERE kind IN ('mail', 'contact_mail', 'channel_message', 'webhook_delivery')`,
];

/** Ends the sign-ins, tokens and links of a restored database, and what waits to be sent. */
async function endAccess(client: pg.Client): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

/** An active administrator, and the groups to which they are limited; null for the whole school. */
export type Administrator = { username: string; groups: readonly { id: number; name: string }[] | null };

/** The active administrators; none in a database without tables. Also of schemas in which nobody is limited. */
async function listAdministrators(client: pg.Client): Promise<Administrator[]> {
  const tables = await client.query<{ users: boolean; scopes: boolean }>(
    `SELECT to_regclass('users') IS NOT NULL AS users, to_regclass('admin_groups') IS NOT NULL AS scopes`,
  );
  if (tables.rows[0]?.users !== true) return [];
  const groups = `CASE WHEN u.admin_scope = 'groups' THEN (
    SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY lower(g.name)), '[]')
    FROM admin_groups ag JOIN groups g ON g.id = ag.group_id WHERE ag.user_id = u.id) END`;
  const { rows } = await client.query<Administrator>(
    `SELECT u.username, ${tables.rows[0].scopes ? groups : 'NULL'} AS groups FROM users u
     WHERE u.role = 'admin' AND u.status = 'active' AND u.deleted_at IS NULL ORDER BY u.username`,
  );
  return rows;
}
