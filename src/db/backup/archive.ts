import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import tar from 'tar-stream';
import { z } from 'zod';
import { OperatorError } from '../../lib/operator-error.ts';

// A backup is a gzipped tar: images (`pictures/NAME`), `manifest.json`, images added meanwhile, each table's rows in PostgreSQL's
// text format (`tables/NAME/000001` …), and `end.json`, without which it is incomplete.
const manifestSchema = z.object({
  format: z.literal(2),
  created_at: z.string(),
  version: z.string(),
  /** Those of the database. A version that knows all of them restores the backup. */
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** `last` is null for an unused sequence. */
  sequences: z.array(z.object({ name: z.string(), last: z.int().nullable() })),
});
export type Manifest = z.output<typeof manifestSchema>;
export type Table = Manifest['tables'][number];

const endSchema = z.object({ rows: z.record(z.string(), z.int()), pictures: z.int() });
export type End = z.output<typeof endSchema>;

/** Throws BackupError. */
export const parseManifest = (text: string): Manifest => parse(manifestSchema, 'manifest.json', text);
export const parseEnd = (text: string): End => parse(endSchema, 'end.json', text);

export class BackupError extends OperatorError {
  override readonly name = 'BackupError';
}

const formerFormat =
  'The backup was written by a development version before 1.1.0, which this version cannot restore ' +
  '(docs/operations.md, "From a version before 1.1.0").';

function parse<T>(schema: z.ZodType<T>, name: string, text: string): T {
  const content = asJson(text);
  const { success, data } = schema.safeParse(content);
  if (success) return data;
  const format = z.object({ format: z.int() }).safeParse(content).data?.format;
  if (format === 1) throw new BackupError(formerFormat);
  if (format !== undefined && format > 2)
    throw new BackupError(`The backup has the format ${format} of a newer version; restore it with that version.`);
  throw new BackupError(`This is not a Studytrack backup, or it is damaged: ${name} cannot be read.`);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A dedicated connection without timeouts, with settings that make COPY write the same text on every server. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'studytrack backup',
    options:
      '-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres -c extra_float_digits=1 -c bytea_output=hex ' +
      '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0',
  });
  client.on('error', () => undefined); // the running statement, or the next one, throws it
  await client.connect();
  return client;
}

/** Runs `work`, unless another process is doing so. The lock ends with the process. Returns whether it ran. */
export async function alone(url: string, lock: string, work: () => Promise<void>): Promise<boolean> {
  const client = await connect(url);
  try {
    // Of a transaction, as poolers share the session. It has no snapshot and no id that would hold others back.
    await client.query('BEGIN');
    const { rows } = await client.query('SELECT pg_try_advisory_xact_lock(hashtext($1)) AS locked', [lock]);
    if (rows[0]?.locked !== true) return false;
    await work();
    return true;
  } finally {
    await client.end();
  }
}

export const quote = (name: string): string => pg.escapeIdentifier(name);

/** For COPY FROM. Generated columns are left out. */
export function copyTarget({ name, columns }: Table): string {
  return `${quote(name)} (${columns.map(quote).join(', ')})`;
}

/** For COPY TO. */
export function copySource({ name, columns }: Table): string {
  return `(SELECT ${columns.map(quote).join(', ')} FROM ${quote(name)})`;
}

// Migration tables describe the schema, not its contents. Transaction ids and deletions mean nothing on another server, where
// clients synchronize from the beginning.
const ownTables = `c.relkind = 'r' AND c.relpersistence = 'p' AND c.relnamespace = current_schema()::regnamespace
  AND c.relname NOT IN ('migrations', 'migrations_lock', 'migrations_hashes', 'sync_deletions')`;

export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    WITH RECURSIVE refers AS (
      SELECT f.conrelid AS from_table, f.confrelid AS to_table FROM pg_constraint f
      WHERE f.contype = 'f' AND f.conrelid <> f.confrelid),
    ranked (id, level) AS (
      SELECT c.oid, 0 FROM pg_class c WHERE ${ownTables}
      UNION
      SELECT r.from_table, k.level + 1 FROM ranked k JOIN refers r ON r.to_table = k.id WHERE k.level < 20)
    SELECT c.relname::text AS name,
      (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
       WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
         AND a.atttypid <> 'xid8'::regtype) AS columns
    FROM pg_class c JOIN ranked k ON k.id = c.oid
    WHERE ${ownTables}
    GROUP BY c.oid, c.relname ORDER BY max(k.level), c.relname`);
  return rows;
}

export async function listMigrations(client: pg.Client): Promise<Manifest['migrations']> {
  const { rows } = await client.query<Manifest['migrations'][number]>(
    'SELECT name, hash FROM migrations JOIN migrations_hashes USING (name) ORDER BY name',
  );
  return rows;
}

export async function listSequences(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<Manifest['sequences'][number]>(`
    SELECT s.relname::text AS name, pg_sequence_last_value(s.oid::regclass) AS last
    FROM pg_class s
    JOIN pg_depend d ON d.objid = s.oid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
    JOIN pg_class c ON c.oid = d.refobjid
    WHERE s.relkind = 'S' AND ${ownTables}
    ORDER BY s.relname`);
  return rows;
}

type ReadEntry = (kind: string, name: string, entry: Readable) => Promise<void>;

/** Reads an archive; `read` must read each entry to its end. */
export async function eachEntry(source: Readable, read: ReadEntry): Promise<void> {
  const extract = tar.extract();
  const unpacked = pipeline(source, createGunzip(), extract);
  unpacked.catch(() => undefined); // thrown below, unless reading an entry throws first
  try {
    for await (const entry of extract) {
      const [kind = '', name = ''] = entry.header.name.split('/');
      await read(kind, name, entry);
    }
    await unpacked;
  } catch (error) {
    throw error instanceof BackupError ? error : asBackupError(error);
  } finally {
    extract.destroy();
  }
}

const truncatedOrInvalid =
  /unexpected end of (file|data)|incorrect|invalid (header|tar|block|stored|distance|code)|Unexpected end/i;

function asBackupError(error: unknown): unknown {
  if (!(error instanceof Error) || !truncatedOrInvalid.test(error.message)) return error;
  return new BackupError(`The archive is incomplete or not a backup: ${error.message}.`);
}
