import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import tar from 'tar-stream';
import type { Storage } from '../../lib/storage/storage.ts';
import type { End, Manifest, Table } from './archive.ts';
import { connect, listSequences, listTables, selected } from './session.ts';

/** Bytes of a table in one entry: cut at the end of a row, so that every part can be loaded by itself. */
const partSize = 4 * 1024 * 1024;

type Source = { url: string; pictures: Storage; say: (line: string) => void };

/** Writes a snapshot of everything to `target`, in constant memory, while the service runs. Returns what it contains. */
export async function writeBackup({ url, pictures, say }: Source, target: Writable): Promise<End> {
  const client = await connect(url);
  const pack = tar.pack();
  try {
    const [end] = await Promise.all([
      fill(client, pack, pictures, say).catch((error: unknown) => {
        pack.destroy(error instanceof Error ? error : new Error(String(error)));
        throw error;
      }),
      pipeline(pack, createGzip(), target),
    ]);
    return end;
  } finally {
    await client.end();
  }
}

async function fill(client: pg.Client, pack: tar.Pack, pictures: Storage, say: Source['say']): Promise<End> {
  // Pictures first: one that is replaced while they are copied is then in the archive already, and one that was added
  // meanwhile is copied after the snapshot.
  const { rows: clock } = await client.query<{ began: string }>(`SELECT now() - interval '1 hour' AS began`);
  const recently = Date.now() - 2 * 3_600_000;
  const added = new Set<string>(); // only recent ones: those may be named again below
  let count = 0;
  for await (const { name, modifiedAt } of pictures.list()) {
    if (!(await addPicture(pack, pictures, name))) continue;
    if (modifiedAt.getTime() > recently) added.add(name);
    count += 1;
    if (count % 1000 === 0) say(`${count} images`);
  }
  say(`${count} images`);

  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const migrated = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  const manifest: Manifest = {
    format: 1,
    created_at: new Date().toISOString(),
    migrations: migrated.rows.map((row) => row.name),
    tables: await listTables(client),
    sequences: await listSequences(client),
  };
  await addText(pack, 'manifest.json', JSON.stringify(manifest));

  const recent = await client.query<{ image: string }>(
    'SELECT image FROM projects WHERE image IS NOT NULL AND updated_at >= $1',
    [clock[0]?.began],
  );
  for (const { image } of recent.rows) {
    const name = image.slice(image.lastIndexOf('/') + 1);
    if (added.has(name)) continue;
    if (await addPicture(pack, pictures, name)) count += 1;
    else say(`missing image: ${name}`);
  }

  const rows: Record<string, number> = {};
  for (const table of manifest.tables) {
    rows[table.name] = await addTable(client, pack, table);
    say(`${table.name}: ${rows[table.name]} rows`);
  }
  await client.query('COMMIT');
  const end: End = { rows, pictures: count };
  await addText(pack, 'end.json', JSON.stringify(end));
  pack.finalize();
  return end;
}

async function addTable(client: pg.Client, pack: tar.Pack, table: Table): Promise<number> {
  const stream = client.query(copyTo(`COPY ${selected(table)} TO STDOUT`));
  let part = 0;
  let held: Buffer[] = [];
  let size = 0;

  async function flush(bytes: Buffer): Promise<void> {
    part += 1;
    await addText(pack, `tables/${table.name}/${String(part).padStart(6, '0')}`, bytes);
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    held.push(chunk);
    size += chunk.length;
    if (size < partSize) continue;
    const bytes = Buffer.concat(held);
    const cut = bytes.lastIndexOf(10) + 1; // a line feed within a value is written as two characters
    if (cut > 0) await flush(bytes.subarray(0, cut));
    held = [bytes.subarray(cut)];
    size = bytes.length - cut;
  }
  if (size > 0) await flush(Buffer.concat(held));
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

async function addPicture(pack: tar.Pack, pictures: Storage, name: string): Promise<boolean> {
  const found = await pictures.open(name);
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
