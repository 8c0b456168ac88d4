import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pack } from 'tar-stream';
import { makeFolder } from '../../lib/folders.ts';

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
