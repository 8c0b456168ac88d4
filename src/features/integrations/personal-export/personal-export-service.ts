import type { Readable } from 'node:stream';
import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Exporter } from '../../../lib/export/exporter.ts';
import type { SecurityLog } from '../../../lib/log/security-log.ts';
import type { Encryption } from '../../../lib/secrets/encryption.ts';
import type { Storage } from '../../../lib/storage/storage.ts';
import { ConflictError, NotFoundError, RateLimitedError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import type { JobQueue } from '../../operations/background-work/background-worker.ts';
import { listUnused } from '../../study/images/image-storage.ts';
import { fileIdOf, openParts } from './archive-writer.ts';
import type { ExportJob } from './personal-export-job.ts';
import * as personalExports from './personal-export-repository.ts';

export const day = 86_400_000;
const policy = { name: 'personal-exports', quota: 3, seconds: day / 1000 };
/** Longer than an attempt takes from its first file to the row that refers to it. */
const unusedAfter = 15 * 60_000;

type Options = {
  store: Db;
  storage: Storage;
  encryption: Encryption;
  queue: JobQueue<ExportJob>;
  exporter: Exporter;
  securityLog: SecurityLog;
  clock: Clock;
};
export type PersonalExportService = ReturnType<typeof createPersonalExportService>;

/** Archives of the caller's data, for a day after they were created. */
export function createPersonalExportService({
  store,
  storage,
  encryption,
  queue,
  exporter,
  securityLog,
  clock,
}: Options) {
  const dayAgo = () => new Date(clock().getTime() - day);

  return {
    /** Throws ConflictError while one is being created, RateLimitedError after three in a day. */
    request: (db: Db, actor: Actor) =>
      db.transaction(actor.context, async (tx) => {
        const { afterCommit } = tx;
        await personalExports.lockOwner(tx, actor.id);
        const latest = await personalExports.findLatest(tx, actor.id, dayAgo());
        if (latest?.state === 'pending') throw new ConflictError('CONFLICT', 'export_pending');
        if ((await personalExports.countSince(tx, actor.id, dayAgo())) >= policy.quota)
          throw new RateLimitedError(policy.seconds, 'too_many_exports', policy);
        const row = await personalExports.insert(tx, actor.id, clock());
        if (row === undefined) throw new ConflictError('CONFLICT', 'export_pending');
        await queue.enqueue(tx, { export_id: row.id }, { sender: actor.id });
        afterCommit(() => securityLog.note('personal_export_requested', actor, { export: row.id }));
        return row;
      }),

    find: (actor: Actor) => personalExports.findLatest(store, actor.id, dayAgo()),

    /**
     * Throws NotFoundError if there is no archive, RateLimitedError if the caller has too many downloads in progress.
     */
    async open(actor: Actor, closed: AbortSignal): Promise<{ stream: Readable; bytes: number }> {
      const found = await personalExports.findFiles(store, actor.id, dayAgo());
      const key = found && encryption.decrypt(found.sealed_key);
      const files = found && key && { storage, fileId: found.file_id, key: Buffer.from(key, 'base64') };
      const parts = files && (await openParts(files, found.parts));
      if (!parts) throw new NotFoundError('export_not_found');
      const stream = exporter.send(`user ${actor.id}`, parts, closed);
      securityLog.note('personal_export_downloaded', actor);
      return { stream, bytes: found.bytes };
    },

    /** Deletes rows after a day, and files without a row, also of interrupted attempts and deleted accounts. */
    async purge(): Promise<void> {
      await personalExports.deleteFinished(store, dayAgo());
      const findUsed = async (names: readonly string[]) => {
        const known = new Set(await personalExports.listKnown(store, [...new Set(names.map(fileIdOf))]));
        return new Set(names.filter((name) => known.has(fileIdOf(name))));
      };
      const before = new Date(Date.now() - unusedAfter); // the clock of the storage
      for await (const name of listUnused(storage, before, findUsed)) await storage.delete(name);
    },
  };
}
