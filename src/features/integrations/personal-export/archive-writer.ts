import { createCipheriv, createDecipheriv, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Pack } from 'tar-stream';
import { makeFolder } from '../../../lib/folders.ts';
import type { Storage } from '../../../lib/storage/storage.ts';

type Source = { name: string; size: number; content: Readable };
export type Write = (text: string) => Promise<void>;

/** Adds entries to a tar archive, one after the other, with backpressure. */
export function createArchiveWriter(pack: Pack, folder: string) {
  function add({ name, size, content }: Source): Promise<void> {
    return pipeline(content, pack.entry({ name, size, mode: 0o600 }));
  }

  const addText = (name: string, text: string) => {
    const bytes = Buffer.from(text);
    return add({ name, size: bytes.length, content: Readable.from([bytes]) });
  };

  /** Adds an entry that `work` writes. Tar needs the length before the content, so it is buffered on disk. */
  async function addWritten(name: string, work: (write: Write) => Promise<unknown>): Promise<void> {
    await makeFolder(folder);
    const path = join(folder, `${randomUUID()}.entry`);
    const file = await open(path, 'wx', 0o600);
    try {
      await work((text) => file.writeFile(text));
      const { size } = await file.stat();
      await add({ name, size, content: createReadStream(path) });
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
  }

  return { add, addText, addWritten };
}
export type ArchiveWriter = ReturnType<typeof createArchiveWriter>;

const cipher = 'aes-256-gcm';
const tagBytes = 16;
/** Memory per archive that is being written or read. */
const partBytes = 1_048_576;

type Files = { storage: Storage; fileId: string; key: Buffer };
const nameOf = (fileId: string, part: number) => `${fileId}-${part}.part`;
/** The export to which a stored file belongs. */
export const fileIdOf = (name: string) => name.slice(0, 36);

/** Each attempt has its own key, so a part number is used only once with it. */
function nonce(part: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(part, 8);
  return bytes;
}

/** As encrypted files of about a megabyte: the storage takes whole files, and the files alone reveal nothing. */
export async function storeParts(source: AsyncIterable<Buffer>, { storage, fileId, key }: Files, folder: string) {
  let [parts, bytes, size] = [0, 0, 0];
  let chunks: Buffer[] = [];

  async function flush(): Promise<void> {
    parts += 1;
    const encrypt = createCipheriv(cipher, key, nonce(parts));
    const content = [...chunks.map((chunk) => encrypt.update(chunk)), encrypt.final(), encrypt.getAuthTag()];
    [chunks, size] = [[], 0];
    const path = join(folder, `${randomUUID()}.part`);
    try {
      await writeFile(path, Buffer.concat(content), { mode: 0o600 });
      await storage.put(nameOf(fileId, parts), path, 'application/octet-stream');
    } finally {
      await rm(path, { force: true });
    }
  }

  await makeFolder(folder);
  for await (const chunk of source) {
    chunks.push(chunk);
    size += chunk.length;
    bytes += chunk.length;
    if (size >= partBytes) await flush();
  }
  if (size > 0) await flush();
  return { parts, bytes };
}

async function readPart({ storage, fileId, key }: Files, part: number): Promise<Buffer | undefined> {
  const file = await storage.open(nameOf(fileId, part));
  if (file === undefined) return undefined;
  const bytes = await buffer(file.stream);
  const decrypt = createDecipheriv(cipher, key, nonce(part), { authTagLength: tagBytes });
  decrypt.setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decrypt.update(bytes.subarray(0, -tagBytes)), decrypt.final()]);
}

/** Undefined if the files were deleted. A missing or modified file ends the stream with an error. */
export async function openParts(files: Files, parts: number): Promise<AsyncGenerator<Buffer> | undefined> {
  const first = await readPart(files, 1);
  if (first === undefined) return undefined;
  return (async function* () {
    yield first;
    for (let part = 2; part <= parts; part += 1) {
      const next = await readPart(files, part);
      if (next === undefined) throw new Error('a file of a personal export is missing');
      yield next;
    }
  })();
}
