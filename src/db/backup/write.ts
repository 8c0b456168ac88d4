import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import tar from 'tar-stream';
import type { Storage } from '../../lib/storage/storage.ts';
import { version } from '../../project-root.ts';
import {
  connect,
  copySource,
  type End,
  listMigrations,
  listSequences,
  listTables,
  type Manifest,
  type Table,
} from './archive.ts';

/** Bytes of a table in one entry, which ends with a complete row, so that each entry can be loaded separately. */
const partSize = 4 * 1024 * 1024;

type Source = { url: string; images: Storage; log: (line: string) => void; signal?: AbortSignal };

async function writeBackup({ url, images, log, signal }: Source, target: Writable): Promise<End> {
  const client = await connect(url);
  const pack = tar.pack();
  try {
    const [end] = await Promise.all([
      fill(client, pack, images, log).catch((error: unknown) => {
        pack.destroy(error instanceof Error ? error : new Error(String(error)));
        throw error;
      }),
      pipeline(pack, createGzip(), target, { ...(signal && { signal }) }),
    ]);
    return end;
  } finally {
    await client.end();
  }
}

/** Writes a file that only its owner can read, and removes it if that fails. */
export async function writeBackupFile(source: Source, path: string): Promise<void> {
  try {
    // A file left by an interrupted run may have another mode or owner.
    await rm(path, { force: true });
    const file = await open(path, 'wx', 0o600);
    const target = file.createWriteStream({ flush: true });
    await writeBackup(source, target).finally(() => target.destroy()); // closes the file if nothing was written
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function fill(client: pg.Client, pack: tar.Pack, images: Storage, log: Source['log']): Promise<End> {
  // Images first, because the service deletes replaced ones. Those added while copying follow after the snapshot.
  const { rows: clock } = await client.query<{ since: string }>(`SELECT now() - interval '1 hour' AS since`);
  const recent = Date.now() - 2 * 3_600_000;
  const added = new Set<string>(); // recent ones only, which the query below may return again
  let count = 0;
  for await (const { name, modifiedAt } of images.list()) {
    if (!(await addImage(pack, images, name))) continue;
    if (modifiedAt.getTime() > recent) added.add(name);
    count += 1;
    if (count % 1000 === 0) log(`${count} images`);
  }
  log(`${count} images`);

  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const manifest: Manifest = {
    format: 2,
    created_at: new Date().toISOString(),
    version,
    migrations: await listMigrations(client),
    tables: await listTables(client),
    sequences: await listSequences(client),
  };
  await addText(pack, 'manifest.json', JSON.stringify(manifest));

  const changed = await client.query<{ image: string }>(
    'SELECT image FROM projects WHERE image IS NOT NULL AND updated_at >= $1',
    [clock[0]?.since],
  );
  for (const { image } of changed.rows) {
    const name = image.slice(image.lastIndexOf('/') + 1);
    if (added.has(name)) continue;
    if (await addImage(pack, images, name)) count += 1;
    else log(`missing image: ${name}`);
  }

  const rows: Record<string, number> = {};
  for (const table of manifest.tables) {
    rows[table.name] = await addTable(client, pack, table);
    log(`${table.name}: ${rows[table.name]} rows`);
  }
  await client.query('COMMIT');
  const end: End = { rows, pictures: count };
  await addText(pack, 'end.json', JSON.stringify(end));
  pack.finalize();
  return end;
}

async function addTable(client: pg.Client, pack: tar.Pack, table: Table): Promise<number> {
  const stream = client.query(copyTo(`COPY ${copySource(table)} TO STDOUT`));
  let part = 0;
  let chunks: Buffer[] = [];
  let size = 0;

  async function flush(bytes: Buffer): Promise<void> {
    part += 1;
    await addText(pack, `tables/${table.name}/${String(part).padStart(6, '0')}`, bytes);
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < partSize) continue;
    const bytes = Buffer.concat(chunks);
    const end = bytes.lastIndexOf(10) + 1; // COPY escapes a line feed within a value
    if (end > 0) await flush(bytes.subarray(0, end));
    chunks = [bytes.subarray(end)];
    size = bytes.length - end;
  }
  if (size > 0) await flush(Buffer.concat(chunks));
  return stream.rowCount;
}

function addText(pack: tar.Pack, name: string, content: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const entry = pack.entry({ name, mode: 0o600 }, Buffer.from(content), (error) =>
      error ? reject(error) : resolve(),
    );
    entry.on('error', reject);
  });
}

async function addImage(pack: tar.Pack, images: Storage, name: string): Promise<boolean> {
  const found = await images.open(name);
  if (found === undefined) return false;
  await addStream(pack, { name: `pictures/${name}`, size: found.size, mtime: found.modifiedAt }, found.stream);
  return true;
}

async function addStream(pack: tar.Pack, header: tar.Headers, stream: Readable): Promise<void> {
  let settle: (error?: Error | null) => void = () => undefined;
  const done = new Promise<void>((resolve, reject) => {
    settle = (error) => (error ? reject(error) : resolve());
  });
  done.catch(() => undefined); // thrown below
  const entry = pack.entry(header, settle);
  for await (const chunk of stream) {
    if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), done]);
  }
  entry.end();
  await done;
}
