import type { Cells, Layout } from './layout.ts';
import { readTimes } from './row-times.ts';
import { type DateOrder, isAmbiguousDate, type Moment } from './written-times.ts';

export type FoundOrder = { order: DateOrder; isGuessed: boolean };

const hour = 3_600_000;

/**
 * Finds the order of day and month in the dates of a file: the one with which more rows are possible. A row is possible if its
 * days exist, its end follows its start within a day, and its duration lies between them.
 */
export function createOrderDetection(layout: Layout) {
  const impossible = { day_first: 0, month_first: 0 };
  let isAmbiguous = false;
  const dateColumns = (['start', 'end', 'date', 'start_date', 'end_date'] as const).flatMap(
    (field) => layout.at[field] ?? [],
  );
  return {
    look(cells: Cells): void {
      if (!dateColumns.some((at) => isAmbiguousDate(cells[at] ?? ''))) return;
      isAmbiguous = true;
      for (const order of ['day_first', 'month_first'] as const)
        if (!isPossible(readTimes(cells, layout, order))) impossible[order] += 1;
    },
    /** By default the month first, as in American reports. */
    found(): FoundOrder {
      const order = impossible.day_first < impossible.month_first ? 'day_first' : 'month_first';
      return { order, isGuessed: isAmbiguous && impossible.day_first === impossible.month_first };
    },
  };
}

function isPossible(times: ReturnType<typeof readTimes>): boolean {
  if (Array.isArray(times)) return false;
  const { start, end, seconds } = times;
  if (start === undefined || end === undefined) return true;
  const length = positionOf(end) - positionOf(start);
  if (seconds !== undefined) return Math.abs(length - seconds * 1000) <= hour;
  return length >= 0 && length <= 24 * hour;
}

const positionOf = (moment: Moment) => ('local' in moment ? moment.local : moment.instant);
