import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CheckedRow,
  createOverlapResolution,
  type OverlapMode,
  recordsPerPage,
  type StoredRecord,
} from '../../../../src/features/study/session-import/rows/overlap-resolution.ts';

type Span = { start: number; end: number };
type Placed = Span & { row: number };
const day = 86_400_000;
const overlaps = (a: Span, b: Span) => a.start < b.end && b.start < a.end;

/** As the repository reads them. */
const reader = (records: readonly StoredRecord[]) => async (from: number) => {
  const first = Math.max(
    0,
    records.findLastIndex((record) => record.start <= from),
  );
  return records.slice(first, first + recordsPerPage);
};

async function resolveAll(rows: readonly Placed[], records: readonly StoredRecord[], mode: OverlapMode) {
  const resolve = createOverlapResolution(mode, reader(records));
  const kept: Placed[] = [];
  for (const row of rows.toSorted((a, b) => a.start - b.start || a.row - b.row)) {
    const checked: CheckedRow = { ...row, meetsRecord: records.some((record) => overlaps(record, row)) };
    const found = await resolve(checked);
    if (found?.isOmitted !== true) kept.push(found ?? row);
  }
  return kept.map(({ row, start, end }) => ({ row, start, end }));
}

/** The same rules, compared with everything that is taken. */
function bruteForce(rows: readonly Placed[], records: readonly StoredRecord[], mode: OverlapMode): Placed[] {
  const kept: Placed[] = [];
  let chain = 0;
  for (const row of rows.toSorted((a, b) => a.start - b.start || a.row - b.row)) {
    const { start, end } = row;
    const rowsMet = kept.filter((other) => overlaps(other, row));
    const recordsMet = records.filter((other) => overlaps(other, row));
    if (rowsMet.length + recordsMet.length === 0) kept.push(row);
    else if (mode === 'trim') {
      let begin = Math.max(start, ...rowsMet.map((other) => other.end));
      for (const record of recordsMet)
        if (record.end > begin) begin = record.start > begin ? Number.POSITIVE_INFINITY : record.end;
      if (begin <= end - 1000) kept.push({ row: row.row, start: begin, end });
    } else if (mode === 'stack' && recordsMet.length === 0) {
      const free = (begin: number) =>
        ![...kept, ...records].some((other) => overlaps(other, { start: begin, end: begin + end - start }));
      let begin = Math.max(chain, ...kept.filter((other) => other.start <= start).map((other) => other.end));
      while (begin < start + day && !free(begin)) begin += 1000;
      chain = begin;
      if (begin >= start + day) continue;
      kept.push({ row: row.row, start: begin, end: begin + end - start });
      chain = begin + end - start;
    }
  }
  return kept;
}

const second = 1000;
const spans = (minLength: number) =>
  fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: minLength, max: 20 })), { maxLength: 25 });
const recordsOf = (lengths: readonly (readonly [number, number])[]): StoredRecord[] => {
  let from = 0;
  return lengths.map(([gap, length], index) => {
    const start = from + (gap % 4) * second;
    from = start + length * second;
    return { id: index + 1, start, end: from };
  });
};
const rowsOf = (lengths: readonly (readonly [number, number])[]): Placed[] =>
  lengths.map(([start, length], row) => ({ row, start: start * second, end: (start + length) * second }));

test.each(['reject', 'skip', 'trim', 'stack'] as const)(
  '%s: as by brute force, and again adds nothing',
  async (mode) => {
    await fc.assert(
      fc.asyncProperty(spans(1), spans(1), async (rowSpans, recordSpans) => {
        const [rows, records] = [rowsOf(rowSpans), recordsOf(recordSpans)];
        const kept = await resolveAll(rows, records, mode);
        expect(kept).toEqual(bruteForce(rows, records, mode));
        const all = [...records, ...kept.map((row) => ({ ...row, id: 1000 + row.row }))];
        const sorted = all.toSorted((a, b) => a.start - b.start);
        for (const [index, next] of sorted.slice(1).entries())
          expect(next.start).toBeGreaterThanOrEqual(sorted[index]?.end ?? 0);
        // Rows that became records as written are duplicates, which are left out before.
        const others = rows.filter(({ start, end }) => !sorted.some((one) => one.start === start && one.end === end));
        expect(await resolveAll(others, sorted, mode)).toEqual([]);
      }),
      { numRuns: 500, seed: 87 },
    );
  },
);

test('many rows and records take time in proportion to their number', async () => {
  const records = recordsOf(Array.from({ length: 20_000 }, (_, index) => [index % 3, 1]));
  const rows = rowsOf(Array.from({ length: 20_000 }, (_, index) => [index % 7, 1 + (index % 5)]));
  let reads = 0;
  const read = reader(records);
  for (const mode of ['trim', 'stack'] as const) {
    const resolve = createOverlapResolution(mode, (from) => {
      reads += 1;
      return read(from);
    });
    for (const row of rows.toSorted((a, b) => a.start - b.start)) await resolve({ ...row, meetsRecord: true });
  }
  expect(reads).toBeLessThan(200);
});

test.each(['reject', 'skip', 'trim', 'stack'] as const)(
  '%s: a row whose record has been deleted since is kept',
  async (mode) => {
    const resolve = createOverlapResolution(mode, async () => []);
    const row = { row: 2, start: 1_000, end: 5_000 };
    expect(await resolve({ ...row, meetsRecord: true })).toMatchObject({
      ...row,
      isOmitted: false,
      otherSession: null,
    });
  },
);
