import type { overlapModes } from '../import-status-schemas.ts';

export type OverlapMode = (typeof overlapModes)[number];
/** Times are milliseconds. A running timer has no end. */
export type StoredRecord = { id: number; start: number; end: number };
export type CheckedRow = { row: number; start: number; end: number; meetsRecord: boolean };
export type Resolution = {
  row: number;
  start: number;
  end: number;
  isMoved: boolean;
  isOmitted: boolean;
  otherRow: number | null;
  otherSession: number | null;
};
/** Reads a user's records: the one that began last at or before a moment, and then the following ones. */
export type ReadRecords = (from: number) => Promise<readonly StoredRecord[]>;

const day = 86_400_000;
const shortest = 1000;
export const recordsPerPage = 500;

type Span = { row: number; start: number; end: number };

/**
 * Decides about the rows of a file, in the order of their starts, that overlap a record or an earlier row; undefined for any
 * other row. Records are never changed. An omitted row does not conflict with later ones. Resolving a file again, after its
 * rows have become records, adds nothing.
 */
export function createOverlapResolution(mode: OverlapMode, read: ReadRecords) {
  // Each reads forward only.
  const [at, ahead] = [createSearch(read), createSearch(read)];
  const resolve = mode === 'stack' ? createStacking(at, ahead) : createTrimming(at, ahead, mode === 'trim');
  return async (row: CheckedRow): Promise<Resolution | undefined> => {
    const found = await resolve(row);
    // Without an overlap, a row is only of interest if the record that it overlapped has been deleted.
    return found.isMoved || found.isOmitted || row.meetsRecord ? found : undefined;
  };
}

type FindRecord = (start: number, end: number) => Promise<StoredRecord | undefined>;

/** Finds the first record that overlaps a span. The starts of the spans never decrease. */
function createSearch(read: ReadRecords): FindRecord {
  let page: readonly StoredRecord[] = [];
  let next = 0;
  let isLast = false;
  return async (start, end) => {
    for (;;) {
      while ((page[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
      const found = page[next];
      if (found !== undefined) return found.start < end ? found : undefined;
      if (isLast) return undefined;
      page = await read(start);
      next = 0;
      isLast = page.length < recordsPerPage;
    }
  };
}

const unchanged = ({ row, start, end }: CheckedRow): Resolution => ({
  row,
  start,
  end,
  isMoved: false,
  isOmitted: false,
  otherRow: null,
  otherSession: null,
});

/** Rows begin where the other row or record ends. One during which a record begins is omitted. */
function createTrimming(at: FindRecord, ahead: FindRecord, isTrimming: boolean) {
  let last: Span = { row: 0, start: Number.NEGATIVE_INFINITY, end: Number.NEGATIVE_INFINITY };
  let adjacent: StoredRecord = { id: 0, start: 0, end: Number.NEGATIVE_INFINITY };

  /** The records that follow one another without a gap, as one: many rows may begin during them. */
  async function adjacentAt(first: StoredRecord, end: number): Promise<StoredRecord> {
    if (first.start >= adjacent.end) adjacent = first;
    while (adjacent.end < end) {
      const next = await ahead(adjacent.end, adjacent.end + 1);
      if (next === undefined) break;
      adjacent = { id: next.id, start: adjacent.start, end: next.end };
    }
    return adjacent;
  }

  return async (row: CheckedRow): Promise<Resolution> => {
    const afterRow = Math.max(row.start, last.end);
    let start = afterRow;
    let found: StoredRecord | undefined;
    if (row.meetsRecord && afterRow < row.end) found = await at(afterRow, row.end);
    if (found !== undefined && isTrimming && found.start <= start) {
      const { id, end } = await adjacentAt(found, row.end);
      start = end;
      if (end < row.end) {
        const next = await ahead(end, row.end);
        if (next !== undefined) start = Number.POSITIVE_INFINITY;
        found = next ?? { ...found, id };
      }
    } else if (found !== undefined) start = Number.POSITIVE_INFINITY;
    const isOverlap = row.start < last.end || found !== undefined;
    const isOmitted = isOverlap && (!isTrimming || start > row.end - shortest);
    const resolution = {
      ...unchanged(row),
      isOmitted,
      isMoved: isOverlap && !isOmitted,
      otherRow: row.start < last.end ? last.row : null,
      otherSession: found?.id ?? null,
    };
    if (isOmitted) return resolution;
    last = { row: row.row, start, end: row.end };
    return { ...resolution, start };
  };
}

/** Rows that overlap an earlier row follow the others, also past records, within a day. One that overlaps a record is omitted. */
function createStacking(at: FindRecord, ahead: FindRecord) {
  let kept: Span = { row: 0, start: Number.NEGATIVE_INFINITY, end: Number.NEGATIVE_INFINITY };
  let after = Number.NEGATIVE_INFINITY;
  /** Moved rows, in order; those before `next` have ended. */
  let moved: Span[] = [];
  let next = 0;

  function overlapping({ start, end }: CheckedRow): Span | undefined {
    if (kept.end > start) return kept;
    while ((moved[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    if (next > 1000) [moved, next] = [moved.slice(next), 0];
    const first = moved[next];
    return first !== undefined && first.start < end ? first : undefined;
  }

  return async (row: CheckedRow): Promise<Resolution> => {
    const { start, end } = row;
    const record = row.meetsRecord ? await at(start, end) : undefined;
    if (record !== undefined) return { ...unchanged(row), isOmitted: true, otherSession: record.id };
    const other = overlapping(row);
    if (other === undefined) {
      kept = row;
      return unchanged(row);
    }
    after = Math.max(after, kept.end);
    const length = end - start;
    for (;;) {
      if (after >= start + day) return { ...unchanged(row), isOmitted: true, otherRow: other.row };
      const taken = await ahead(after, after + length);
      if (taken === undefined) break;
      after = taken.end;
    }
    const place = { row: row.row, start: after, end: after + length };
    moved.push(place);
    after = place.end;
    return { ...unchanged(row), ...place, isMoved: true, otherRow: other.row };
  };
}
