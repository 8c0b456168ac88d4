import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../folders.ts';

const partBytes = 65_536;
/** What a reader has not read; the writer then waits for it. An export may be larger. */
const maxUnread = 2 * 1024 ** 3;

/**
 * A buffer between a fast writer and a slow reader: in memory up to `memoryBytes`, then in an unlinked file, which a crash removes.
 * The file is a ring of `fileBytes`: what has been read is overwritten.
 */
export function createSpool(folder: string, { memoryBytes = 262_144, fileBytes = maxUnread } = {}) {
  const changes = new EventEmitter();
  let memory: Buffer[] = [];
  let size = 0;
  let taken = 0;
  let file: FileHandle | undefined;
  let isEnded = false;
  let failure: unknown;

  function settle(error?: unknown): void {
    failure = error;
    isEnded = true;
    changes.emit('change');
  }

  async function waitUntil(isReady: () => boolean): Promise<void> {
    while (!isReady() && !isEnded) await once(changes, 'change');
    if (failure !== undefined) throw failure;
  }

  async function append(target: FileHandle, data: Buffer): Promise<void> {
    for (let done = 0; done < data.length; ) {
      await waitUntil(() => size - taken < fileBytes);
      const place = size % fileBytes;
      const length = Math.min(data.length - done, fileBytes - place, fileBytes - (size - taken));
      const { bytesWritten } = await target.write(data, done, length, place);
      done += bytesWritten;
      size += bytesWritten;
      changes.emit('change');
    }
  }

  return {
    async write(text: string): Promise<void> {
      memory.push(Buffer.from(text));
      const bytes = memory.reduce((sum, { length }) => sum + length, 0);
      if (file === undefined && bytes <= memoryBytes) return;
      file ??= await openUnnamed(folder);
      const parts = memory;
      memory = [];
      await append(file, Buffer.concat(parts, bytes));
    },
    end: () => settle(),
    fail: (error: unknown) => settle(error),

    /** Resolves when the text is complete or exceeds the memory limit; rejects if the writer failed before. */
    ready: () => waitUntil(() => size > 0),

    /** `waiting` reports when the reader starts and stops waiting for the writer. */
    async *read(waiting: (isWaiting: boolean) => void): AsyncGenerator<Buffer> {
      for (let at = 0; ; ) {
        if (at < size && file !== undefined) {
          const place = at % fileBytes;
          const length = Math.min(partBytes, size - at, fileBytes - place);
          const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, place);
          at += bytesRead;
          taken = at;
          changes.emit('change');
          yield buffer.subarray(0, bytesRead);
        } else if (isEnded && failure === undefined) {
          // Without a file everything is still in memory.
          yield* memory;
          return;
        } else {
          waiting(true);
          await waitUntil(() => at < size);
          waiting(false);
        }
      }
    },

    async close(): Promise<void> {
      settle(failure ?? new Error('the spool is closed'));
      memory = [];
      await file?.close();
    },
  };
}

async function openUnnamed(folder: string): Promise<FileHandle> {
  await makeFolder(folder, 0o700);
  const path = join(folder, `${randomUUID()}.part`);
  const handle = await open(path, 'wx+', 0o600);
  await rm(path, { force: true });
  return handle;
}
