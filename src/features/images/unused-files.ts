import type { Database } from '../../db/database.ts';
import { createLocalStorage } from '../../lib/storage/local-storage.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import { createImageRepository } from './image-repository.ts';
import { imageName, imagePath } from './image-storage.ts';

/** Those of the names that are in use. */
type FindUsed = (names: readonly string[]) => Promise<ReadonlySet<string>>;

/** Pictures that a project names; also one in the trash, which may be restored. */
export function namedByProjects(database: Database): FindUsed {
  const images = createImageRepository(database);
  return async (names) => new Set([...(await images.listNamed(names.map(imagePath)))].map(imageName));
}

/** The files last written before the moment that are not in use: a file is there a while before a row names it. */
export async function* listUnused(storage: Storage, before: Date, findUsed: FindUsed): AsyncGenerator<string> {
  for await (const names of inBatches(namesBefore(storage, before), 500)) {
    const used = await findUsed(names);
    yield* names.filter((name) => !used.has(name));
  }
}

async function* namesBefore(storage: Storage, before: Date): AsyncGenerator<string> {
  for await (const { name, modifiedAt } of storage.list()) if (modifiedAt < before) yield name;
}

/** However many files there are, so many names are held at once. */
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

// Longer than a request may take, and its picture may wait for its turn.
const interruptedAfter = 10 * 60_000;

/** Removes what uploads left in the folder that their process did not live to remove, by its age: others may share it. */
export async function removeInterrupted(folder: string): Promise<void> {
  const incoming = createLocalStorage(folder);
  const before = new Date(Date.now() - interruptedAfter);
  for await (const name of listUnused(incoming, before, async () => new Set())) await incoming.delete(name);
}
