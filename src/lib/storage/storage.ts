import type { Readable } from 'node:stream';
import { UnavailableError } from '../../texts/errors.ts';

/** The stream must be read to its end or destroyed. */
type StoredFile = { size: number; modifiedAt: Date; stream: Readable };

/** A flat folder of immutable files, whose names are never reused. */
export type Storage = {
  /** Copies the file at `path`, completely or not at all. */
  put(name: string, path: string, contentType: string): Promise<void>;
  delete(name: string): Promise<void>;
  list(): AsyncIterable<{ name: string; modifiedAt: Date }>;
  open(name: string): Promise<StoredFile | undefined>;
  /** For folders: the file's path, whether it exists or not. */
  localPath(name: string): string | undefined;
  publicUrl(name: string): string | undefined;
  assertWritable(): Promise<void>;
};

const faults = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'ENOTDIR', 'EEXIST'];

/** UnavailableError if a file could not be written because of the disk or its permissions; other errors unchanged. */
export function storageFault(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && faults.includes(String(error.code)))) return error;
  return Object.assign(new UnavailableError('storage_unavailable'), { cause: error });
}

export function isStorageName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,99}\.[a-z0-9]{1,8}$/.test(name);
}

/** For writing. Reading and deleting treat an invalid name as a missing file. */
export function assertStorageName(name: string): void {
  if (!isStorageName(name)) throw new Error(`not a storage name: ${JSON.stringify(name)}`);
}
