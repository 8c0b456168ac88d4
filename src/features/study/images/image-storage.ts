import type { Executor } from '../../../db/executor.ts';
import { createLocalStorage } from '../../../lib/storage/local-storage.ts';
import type { Storage } from '../../../lib/storage/storage.ts';
import * as images from './image-repository.ts';

export const imagesAt = '/uploads/projects';

/** The path of a stored file on this service, as in the project row; independent of where files are stored. */
export function imagePath(name: string): string {
  return `${imagesAt}/${name}`;
}

export function imageName(path: string): string {
  return path.slice(imagesAt.length + 1);
}

type FindUsed = (names: readonly string[]) => Promise<ReadonlySet<string>>;

/** Pictures that projects refer to, including those in the trash, which may be restored. */
export function usedByProjects(db: Executor): FindUsed {
  return async (names) => new Set([...(await images.listReferenced(db, names.map(imagePath)))].map(imageName));
}

/** Unused files last written before the given time: a file exists for a while before a row refers to it. */
export async function* listUnused(storage: Storage, before: Date, findUsed: FindUsed): AsyncGenerator<string> {
  for await (const names of inBatches(namesBefore(storage, before), 500)) {
    const used = await findUsed(names);
    yield* names.filter((name) => !used.has(name));
  }
}

async function* namesBefore(storage: Storage, before: Date): AsyncGenerator<string> {
  for await (const { name, modifiedAt } of storage.list()) if (modifiedAt < before) yield name;
}

/** Limits the names in memory. */
async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

// Longer than a request may take, including the wait in the queue.
const interruptedAfter = 10 * 60_000;

/** Deletes files that the uploads of a terminated process left, by age: other processes may share the folder. */
export async function removeInterrupted(folder: string): Promise<void> {
  const incoming = createLocalStorage(folder);
  const before = new Date(Date.now() - interruptedAfter);
  for await (const name of listUnused(incoming, before, async () => new Set())) await incoming.delete(name);
}
