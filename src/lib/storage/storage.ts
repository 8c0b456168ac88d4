import type { Readable } from 'node:stream';

/** A stored file opened for reading. The stream must be read to its end or destroyed. */
export type StoredFile = { size: number; modifiedAt: Date; stream: Readable };

/** A flat folder of files that are written once, under a name never used again, and never changed. */
export type Storage = {
  /** Copies the file at `path` under `name`: afterwards it is there whole, or the call throws and nothing is. */
  put(name: string, path: string, contentType: string): Promise<void>;
  /** Afterwards there is no such file; that there never was one is fine. */
  delete(name: string): Promise<void>;
  list(): AsyncIterable<{ name: string; modifiedAt: Date }>;
  open(name: string): Promise<StoredFile | undefined>;
  /** Where the file lies, or would lie, on this machine, if the store is on it. */
  localPath(name: string): string | undefined;
  /** Where anyone can read the file without this service, if the store offers that. */
  publicUrl(name: string): string | undefined;
  /** Folders only: throws while nothing can be stored. */
  assertWritable?(): Promise<void>;
};

/** One path segment that means the same in every file system and in a URL: no separator, no leading dot, no capitals. */
export function isStorageName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,99}\.[a-z0-9]{1,8}$/.test(name);
}

/** For writing: a bad name there is a bug. Reading and deleting take it for the name of a file that does not exist. */
export function assertStorageName(name: string): void {
  if (!isStorageName(name)) throw new Error(`not a storage name: ${JSON.stringify(name)}`);
}
