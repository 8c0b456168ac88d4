import type { Reader } from '../../../../actor.ts';
import type { Executor } from '../../../../db/database.ts';
import { createYield } from '../../../../lib/fair-queue.ts';
import * as importRows from './import-rows-repository.ts';
import { createOverlapResolution, type OverlapMode, type Resolution } from './overlap-resolution.ts';

/** Rows that a statement changes at most: the time of each does not grow with the file. */
const rowsPerStatement = 5_000;

/** `create` missing projects; what to do with `overlap`s; `goOn`, called between the statements, throws to stop the check. */
type CheckOptions = {
  importId: number;
  lastRow: number;
  now: Date;
  create: boolean;
  overlap: OverlapMode;
  goOn: () => void;
};

/**
 * Notes the projects and problems of staged rows. `db` is the pool: a transaction would hold a connection, and the oldest snapshot
 * of the database, for as long as a large file takes. Nothing here must agree with an earlier statement, because the rows are
 * checked again when they are written.
 */
export async function checkRows(db: Executor, reader: Reader, options: CheckOptions): Promise<void> {
  const { importId, lastRow, now, create, overlap, goOn } = options;
  const inParts = async (work: (rows: importRows.Rows) => Promise<unknown>) => {
    for (let after = 0; after < lastRow; after += rowsPerStatement) {
      goOn();
      await work({ importId, after, last: after + rowsPerStatement });
    }
  };
  await inParts((rows) => importRows.matchProjects(db, rows, reader, create));
  await inParts((rows) => importRows.checkRows(db, rows, reader.id, now, false));
  goOn();
  await importRows.findRepeatedRows(db, importId, overlap === 'stack');
  await resolveOverlaps(db, reader.id, options);
  await inParts((rows) => importRows.checkRows(db, rows, reader.id, now, true));
}

async function resolveOverlaps(db: Executor, userId: number, { importId, overlap, goOn }: CheckOptions): Promise<void> {
  const resolve = createOverlapResolution(overlap, async (from) =>
    (await importRows.readRecords(db, userId, new Date(from))).map(({ id, started_at, ended_at }) => ({
      id,
      start: Date.parse(started_at),
      end: ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(ended_at),
    })),
  );
  const yieldTurn = createYield();
  let after = { started_at: new Date(0), row: 0 };
  for (let isLast = false; !isLast; ) {
    goOn();
    const rows = await importRows.listRows(db, importId, after, rowsPerStatement);
    const found: Resolution[] = [];
    for (const { row, started_at, ended_at, problem } of rows) {
      await yieldTurn();
      const times = { start: Date.parse(started_at), end: Date.parse(ended_at) };
      const resolution = await resolve({ row, ...times, meetsRecord: problem !== null });
      if (resolution !== undefined) found.push(resolution);
      after = { started_at: new Date(started_at), row };
    }
    if (found.length > 0) await importRows.saveResolutions(db, importId, found);
    isLast = rows.length < rowsPerStatement;
  }
}
