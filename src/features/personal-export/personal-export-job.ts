import { randomBytes, randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import tar from 'tar-stream';
import type { Clock } from '../../lib/clock.ts';
import type { Seal } from '../../lib/seal.ts';
import type { Storage } from '../../lib/storage/storage.ts';
import type { Store, TransactionStore } from '../../store.ts';
import type { Notify } from '../account-notices/account-notices.ts';
import type { JobKind } from '../background-work/job-kind.ts';
import { createArchiveWriter } from './archive-writer.ts';
import { storeParts } from './encrypted-parts.ts';
import type { createExportContents } from './export-contents.ts';

const minute = 60_000;
/** An attempt that takes longer is given up, well before another process may begin one. */
const longest = 8 * minute;
const lease = 10 * minute;

/** Failed ones and those that were interrupted. */
const mostAttempts = 5;
/** Longer than an attempt, so that one which fails for its length leaves the others most of the time. */
const retryAfter = (failures: number) => 10 * 2 ** (failures - 1) * minute;

export type ExportJob = { export_id: number };
type Options = {
  store: Store;
  storage: Storage;
  contents: ReturnType<typeof createExportContents>;
  folder: string;
  seal: Seal;
  notify: Notify;
  clock: Clock;
};

/**
 * Writes archives. Whatever interrupts an attempt, the next one begins anew with files and a key of its own; files that no
 * row names are deleted.
 */
export function createExportKind(options: Options): JobKind<ExportJob> {
  const { store, storage, contents, folder, seal, notify, clock } = options;

  async function writeArchive(userId: number, fileId: string, key: Buffer) {
    const pack = tar.pack();
    const archive = createArchiveWriter(pack, folder);
    const stop = new AbortController();
    const signal = AbortSignal.any([AbortSignal.timeout(longest), stop.signal]);
    const filled = contents(archive, userId, clock()).then(
      () => pack.finalize(),
      (error: unknown) => {
        stop.abort(error);
        throw error;
      },
    );
    let stored = { parts: 0, bytes: 0 };
    const sink = async (source: AsyncIterable<Buffer>) => {
      stored = await storeParts(source, { storage, fileId, key }, folder);
    };
    const written = pipeline(pack, createGzip(), sink, { signal });
    const [filling, writing] = await Promise.allSettled([filled, written]);
    if (filling.status === 'rejected') throw filling.reason;
    if (writing.status === 'rejected') throw writing.reason;
    return stored;
  }

  const giveUp = (id: number) => (tx: TransactionStore) => tx.personalExports.fail(id, clock());

  return {
    kind: 'personal_export',
    name: 'write personal exports',
    everySeconds: 5,
    sealed: false,
    lease,
    maximumAge: 24 * 60 * minute,
    perRun: 1,
    retryAfter,

    async run({ export_id }, { claims }) {
      const asked = await store.personalExports.findPending(export_id);
      if (asked === undefined) return { done: true }; // its account is gone
      const { user_id, is_active } = asked;
      if (!is_active || claims > mostAttempts) return { done: true, settle: giveUp(export_id) };
      const [file_id, key] = [randomUUID(), randomBytes(32)];
      const files = {
        file_id,
        sealed_key: seal.seal(key.toString('base64')),
        ...(await writeArchive(user_id, file_id, key)),
      };
      return {
        done: true,
        settle: async (tx) => {
          if (await tx.personalExports.finish(export_id, files, clock()))
            await notify(tx, user_id, 'personal_export_ready');
        },
      };
    },

    async failed(tx, { payload }, { expired }) {
      if (expired) await giveUp((payload as ExportJob).export_id)(tx); // not sealed
    },
  };
}
