import { createCipheriv, createDecipheriv, randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { makeFolder } from '../../lib/folders.ts';
import type { Storage } from '../../lib/storage/storage.ts';

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
