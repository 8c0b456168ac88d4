import { createWriteStream } from 'node:fs';
import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';
import { ValidationError } from '../../../../texts/errors.ts';
import { excerpt } from '../../../study/session-import/file/layout.ts';

/** Of an archive, as its directory declares them: nothing is decompressed before they are checked. */
const archiveLimits = { entries: 100, bytes: 64 * 1024 * 1024, ratio: 100, unratedBytes: 1024 * 1024 } as const;

const broken = () => ValidationError.of('file', 'roster_archive_broken');
const tooLarge = () =>
  ValidationError.of('file', 'roster_archive_too_large', {
    megabytes: archiveLimits.bytes / 1024 / 1024,
    entries: archiveLimits.entries,
    ratio: archiveLimits.ratio,
  });

export type ZipArchive = Awaited<ReturnType<typeof openZip>>;

/** Opens an archive to extract files from it by name, whatever folder they are in. Throws ValidationError. */
export async function openZip(path: string) {
  const archive = await open(path);
  let entries: Map<string, yauzl.Entry>;
  try {
    entries = await readDirectory(archive);
  } catch (error) {
    archive.close();
    throw error;
  }

  return {
    /** The names of its files, in lower case. */
    names: [...entries.keys()],
    close: () => archive.close(),

    /** Throws ValidationError if the content is not what the directory declares. */
    async extract(name: string, target: string): Promise<void> {
      const entry = entries.get(name);
      if (entry === undefined || entry.isEncrypted() || !entry.canDecodeFileData()) throw broken();
      const source = await openEntry(archive, entry);
      await pipeline(source, createWriteStream(target, { flags: 'wx', mode: 0o600 })).catch((error: unknown) => {
        // An error of the disk has a system call; any other is one of the archive.
        throw error instanceof Error && 'syscall' in error ? error : broken();
      });
    },
  };
}

function open(path: string): Promise<yauzl.ZipFile> {
  // The library compares the size of what it decompresses with the declared one, and stops when it is exceeded.
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true };
  return new Promise((resolve, reject) => {
    yauzl.open(path, options, (error, archive) => (error ? reject(broken()) : resolve(archive)));
  });
}

function readDirectory(archive: yauzl.ZipFile): Promise<Map<string, yauzl.Entry>> {
  const entries = new Map<string, yauzl.Entry>();
  let bytes = 0;
  return new Promise((resolve, reject) => {
    if (archive.entryCount > archiveLimits.entries) return reject(tooLarge());
    archive.on('error', () => reject(broken()));
    archive.on('end', () => resolve(entries));
    archive.on('entry', (entry: yauzl.Entry) => {
      const { uncompressedSize: size, compressedSize, fileName } = entry;
      bytes += size;
      const isBomb = size > archiveLimits.unratedBytes && size > compressedSize * archiveLimits.ratio;
      if (bytes > archiveLimits.bytes || isBomb) return reject(tooLarge());
      const name = posix.basename(fileName).toLowerCase();
      const isOfSystem = fileName.endsWith('/') || fileName.startsWith('__MACOSX/') || name.startsWith('.');
      if (!isOfSystem && entries.has(name))
        return reject(ValidationError.of('file', 'roster_archive_repeated', { found: excerpt(name) }));
      if (!isOfSystem) entries.set(name, entry);
      archive.readEntry();
    });
    archive.readEntry();
  });
}

function openEntry(archive: yauzl.ZipFile, entry: yauzl.Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    archive.openReadStream(entry, (error, stream) => (error ? reject(broken()) : resolve(stream)));
  });
}
