import type { ImportOptions } from '../import-status-schemas.ts';
import type { ColumnField } from './column-names.ts';
import type { Cells, Layout } from './layout.ts';
import { type Moment, type Note, type Reading, type RowTimes, readTimes } from './row-times.ts';
import { type DecimalMarks, decimalMarksOf, type Length, lacksUnit, marksOf } from './written-durations.ts';
import { dateOrders, has24Hours, hasOrder, readWhen, type Written } from './written-times.ts';
import { type DurationUnit, durationUnits, units } from './written-words.ts';

/** How the columns of a file are read, and what was not certain. */
export type Found = { reading: Reading; isOrderGuessed: boolean; isUnitAsked: boolean };

const hour = 3_600_000;
const clockFields = ['start', 'end', 'start_time', 'end_time'] as const satisfies readonly ColumnField[];
const dayFields = ['date', 'start_date', 'end_date'] as const satisfies readonly ColumnField[];

/**
 * Finds in the rows of a file what one cell does not say. The order of day and month is that with which more rows are possible: their
 * days exist, their end follows the start within a day, and the duration lies between them; otherwise the month is first, which is
 * told. The unit of a duration is chosen, or in its header, or the one with which most rows agree with start and end; otherwise 1:30
 * is hours and minutes, fractions such as 1.5 and 0.75 are hours, and all other numbers are refused until the unit is chosen.
 */
export function createDetection(
  { at, duration, offsets }: Layout,
  { date_order, duration_unit }: ImportOptions,
  now: number,
) {
  const orders = date_order === 'auto' ? dateOrders : [date_order];
  const impossible = orders.map(() => 0);
  const timed = new Set<ColumnField>();
  const agreeing = { number: new Map<DurationUnit, number>(), clock: new Map<DurationUnit, number>() };
  const alone = { numbers: 0, clocks: 0, fractions: 0, isLong: false, isOdd: false };
  const window = date_order === 'auto' ? { now } : {};
  const given = duration_unit && { number: duration_unit, clock: duration_unit };
  const header = { number: duration.number, clock: duration.clock };
  let isAmbiguous = false;
  let is24Hours = false;
  const marks = new Set<DecimalMarks>();
  const textOf = (cells: Cells, field: ColumnField) => cells[at[field] ?? -1]?.trim() ?? '';
  const readingBy = (order: Reading['order']): Reading => ({
    order,
    ...window,
    units: given ?? header,
    marks: marksOf(marks),
    is24Hours,
    offsets,
    isUnitGiven: given !== undefined,
    timed,
  });

  function lookAtLength(text: string, times: RowTimes): void {
    marks.add(decimalMarksOf(text));
    const isClock = text.includes(':');
    const [first = '', rest = '0'] = text.replace(',', '.').split(':');
    const value = Number(first) + Number(rest) / 60;
    if (times.start !== undefined && times.end !== undefined) {
      const length = positionOf(times.end) - positionOf(times.start);
      const differs = (unit: DurationUnit) => Math.abs(value * units[unit].milliseconds - length);
      const [nearest] = durationUnits.toSorted((a, b) => differs(a) - differs(b));
      const votes = agreeing[isClock ? 'clock' : 'number'];
      if (nearest !== undefined && differs(nearest) <= 60_000) votes.set(nearest, (votes.get(nearest) ?? 0) + 1);
      return;
    }
    alone[isClock ? 'clocks' : 'numbers'] += 1;
    alone.isLong ||= isClock && value > 24;
    alone.isOdd ||= !isClock && !(value <= 12 && Number.isInteger(value * 4));
    alone.fractions += isClock || Number.isInteger(value) ? 0 : 1;
  }

  function unitsFound(): Reading['units'] {
    if (given !== undefined) return given;
    const byDefault = {
      number: alone.fractions > 0 && !alone.isOdd ? 'hours' : undefined,
      clock: alone.isLong || (header.number !== undefined && header.number !== 'hours') ? undefined : 'hours',
    } as const;
    const { number, clock } = header;
    return {
      number: number ?? mostFrequent(agreeing.number) ?? byDefault.number,
      clock: clock ?? mostFrequent(agreeing.clock) ?? byDefault.clock,
    };
  }

  return {
    look(cells: Cells): void {
      for (const field of dayFields) {
        const text = timed.has(field) ? '' : textOf(cells, field);
        if (text.length <= 10) continue; // a date alone
        const read = orders
          .map((order) => readWhen(text, 'day', { order, ...window }))
          .find((one) => one !== undefined);
        if (read?.day !== undefined && read.time !== undefined && read.time !== 0) timed.add(field);
      }
      is24Hours ||= clockFields.some((field) => has24Hours(textOf(cells, field)));
      const length = textOf(cells, 'duration');
      const isOrdered = (['start', 'end', ...dayFields] as const).some((field) => hasOrder(textOf(cells, field)));
      if (!isOrdered && !lacksUnit(length)) return;
      const read = orders.map((order) =>
        readTimes(cells, at, {
          ...readingBy(order),
          units: { number: 'hours', clock: 'hours' },
          isTrial: lacksUnit(length),
        }),
      );
      const possible = read.map((times) => isPossible(times, !lacksUnit(length)));
      if (isOrdered) {
        for (const [index, is] of possible.entries()) impossible[index] = (impossible[index] ?? 0) + (is ? 0 : 1);
        const meanings = read.filter((_times, index) => possible[index]).map((times) => JSON.stringify(times));
        isAmbiguous ||= new Set(meanings).size > 1;
      }
      const times = read.find((_times, index) => possible[index]);
      if (lacksUnit(length) && times !== undefined && !Array.isArray(times)) lookAtLength(length, times);
    },
    found(): Found {
      const least = Math.min(...impossible);
      const order = orders[impossible.indexOf(least)] ?? 'month_first';
      const found = unitsFound();
      return {
        reading: { ...readingBy(order), units: found },
        isOrderGuessed: isAmbiguous && impossible.filter((count) => count === least).length > 1,
        isUnitAsked:
          (alone.numbers > 0 && found.number === undefined) || (alone.clocks > 0 && found.clock === undefined),
      };
    },
  };
}

function isPossible(times: ReturnType<typeof readTimes>, hasLength: boolean): boolean {
  if (Array.isArray(times)) return false;
  const { start, end, seconds } = times;
  if (start === undefined || end === undefined) return true;
  const length = positionOf(end) - positionOf(start);
  if (seconds !== undefined && hasLength) return Math.abs(length - seconds * 1000) <= hour;
  return length >= 0 && length <= 24 * hour;
}

const positionOf = (moment: Moment) => ('local' in moment ? moment.local : moment.instant);

/** The key with the most votes, if it has more than any other. */
function mostFrequent(votes: ReadonlyMap<DurationUnit, number>): DurationUnit | undefined {
  const [first, second] = [...votes].toSorted(([, a], [, b]) => b - a);
  return first === undefined || first[1] === second?.[1] ? undefined : first[0];
}

/** How a cell of a column was read, for the report: the day, time or instant in ISO 8601, or milliseconds. */
export type ColumnReading = {
  field: ColumnField;
  column: string;
  written: string;
  day?: string;
  time?: string;
  offset?: number;
  milliseconds?: number;
  date_order?: Reading['order'];
  duration_unit?: DurationUnit;
};

const maxPerColumn = 4;

/** Collects one example of each way in which a column is written. */
export function createReadings({ columns }: Layout) {
  const readings: ColumnReading[] = [];
  const seen = new Set<string>();
  const counts = new Map<ColumnField, number>();
  const note: Note = (field, text, read) => {
    const key = `${field} ${read.way} ${'day' in read && read.time === undefined}`;
    const count = counts.get(field) ?? 0;
    if (count >= maxPerColumn || seen.has(key)) return;
    seen.add(key);
    counts.set(field, count + 1);
    readings.push({ field, column: columns[field] ?? '', written: text.slice(0, 100), ...facts(read) });
  };
  return { readings, note };
}

function facts(read: Written | Length) {
  if ('milliseconds' in read)
    return { milliseconds: read.milliseconds, ...(read.unit !== undefined && { duration_unit: read.unit }) };
  const { day, time, offset, order } = read;
  return {
    ...(day !== undefined && { day: new Date(day).toISOString().slice(0, 10) }),
    ...(time !== undefined && { time: time === 86_400_000 ? '24:00:00' : new Date(time).toISOString().slice(11, 19) }),
    ...(offset !== undefined && { offset: offset / 60_000 }),
    ...(order !== undefined && { date_order: order }),
  };
}
