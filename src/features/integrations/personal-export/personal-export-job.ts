import { randomBytes, randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import tar from 'tar-stream';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import type { Encryption } from '../../../lib/secrets/encryption.ts';
import type { Storage } from '../../../lib/storage/storage.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import type { Notify } from '../../accounts/account-notices/account-notices.ts';
import type { JobKind } from '../../operations/background-work/job-kind.ts';
import { createArchiveWriter, storeParts } from './archive-writer.ts';
import type { createExportContents } from './export-contents.ts';
import * as personalExports from './personal-export-repository.ts';

const minute = 60_000;
/** Longer attempts are aborted, well before another process may start one. */
const maxDuration = 8 * minute;
const lease = 10 * minute;

/** Failed and interrupted attempts. */
const maxAttempts = 5;
/** Longer than an attempt, so that one which times out leaves most of the time to the others. */
const retryAfter = (failures: number) => 10 * 2 ** (failures - 1) * minute;

const exportJob = z.object({ export_id: z.int() });
export type ExportJob = z.infer<typeof exportJob>;
type Options = {
  store: Db;
  storage: Storage;
  contents: ReturnType<typeof createExportContents>;
  folder: string;
  encryption: Encryption;
  notify: Notify;
  clock: Clock;
};

/** After an interruption, the next attempt starts over with its own files and key; files without a row are deleted. */
export function createExportKind(options: Options): JobKind<ExportJob> {
  const { store, storage, contents, folder, encryption, notify, clock } = options;

  async function writeArchive(userId: number, fileId: string, key: Buffer) {
    const pack = tar.pack();
    const archive = createArchiveWriter(pack, folder);
    const stop = new AbortController();
    const signal = AbortSignal.any([AbortSignal.timeout(maxDuration), stop.signal]);
    const contentsDone = contents(archive, userId, clock()).then(
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
    const storeDone = pipeline(pack, createGzip(), sink, { signal });
    const [contentsResult, storeResult] = await Promise.allSettled([contentsDone, storeDone]);
    if (contentsResult.status === 'rejected') throw contentsResult.reason;
    if (storeResult.status === 'rejected') throw storeResult.reason;
    return stored;
  }

  const fail = (id: number) => (tx: Tx) => personalExports.fail(tx, id, clock());

  return {
    kind: 'personal_export',
    name: 'write personal exports',
    everySeconds: 5,
    payload: exportJob,
    encrypted: false,
    lease,
    maximumAge: 24 * 60 * minute,
    perRun: 1,
    retryAfter,

    async run({ export_id }, { claims }) {
      const pending = await personalExports.findPending(store, export_id);
      if (pending === undefined) return { done: true }; // its account was deleted
      const { user_id, is_active } = pending;
      if (!is_active || claims > maxAttempts) return { done: true, settle: fail(export_id) };
      const [file_id, key] = [randomUUID(), randomBytes(32)];
      const files = {
        file_id,
        sealed_key: encryption.encrypt(key.toString('base64')),
        ...(await writeArchive(user_id, file_id, key)),
      };
      return {
        done: true,
        settle: async (tx) => {
          if (await personalExports.finish(tx, export_id, files, clock()))
            await notify(tx, user_id, 'personal_export_ready');
        },
      };
    },

    async failed(tx, { export_id }, _job, { expired }) {
      if (expired) await fail(export_id)(tx);
    },
  };
}
