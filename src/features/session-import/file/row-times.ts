import type { FieldError } from '../../../errors.ts';
import type { MessageKey } from '../../../messages/index.ts';
import { type Cells, excerpt, type Layout } from './layout.ts';
import {
  agreeingTimes,
  type DateOrder,
  instantsOf,
  isAmbiguousDate,
  isSerial,
  type Moment,
  parseClock,
  parseDay,
  parseMoment,
  parseSeconds,
} from './written-times.ts';

const day = 86_400_000;

export type TimeOptions = { order: DateOrder; zone: string; dayStartsAt: number };

/** What a row says about its times. `day`: only the day is known. */
export type WrittenTimes = { start?: Moment; day?: number; end?: Moment & { isNextDay?: boolean }; seconds?: number };

const cellsOf = (cells: Cells, at: Layout['at']) => (field: keyof Layout['at']) => {
  const subscript = at[field];
  return subscript === undefined ? '' : (cells[subscript] ?? '').trim();
};

/** Reads the times of a row, or the fields that cannot be read. */
export function readTimes(cells: Cells, { at, durationUnit }: Layout, order: DateOrder): WrittenTimes | FieldError[] {
  const cell = cellsOf(cells, at);
  const errors: FieldError[] = [];
  /** A cell that is empty is missing; of any other, the message says what was found. */
  const reject = (field: string, key: MessageKey, ...found: string[]) => {
    const text = excerpt(found.filter(Boolean).join(' '));
    errors.push({ field, message: text === '' ? { key: 'required' } : { key, params: { found: text } } });
  };
  const times: WrittenTimes = {};

  const dayText = cell('start_date') || cell('date');
  const startDay = dayText === '' ? undefined : parseDay(dayText, order);
  const startText = cell('start') || (startDay === undefined ? dayText : '');
  const clock = cell('start_time') || (startDay === undefined ? '' : cell('start'));
  if (startDay !== undefined && clock !== '') {
    const time = parseClock(clock, isSerial(dayText));
    if (time === undefined) reject('started_at', 'import_date', dayText, clock);
    else times.start = { local: startDay + time };
  } else if (startDay !== undefined) times.day = startDay;
  else {
    const moment = startText === '' ? undefined : parseMoment(startText, order);
    if (moment === undefined) reject('started_at', 'import_date', startText, cell('start_time'));
    else times.start = moment;
  }

  const end = readEnd(cell, order, startDay, times.start);
  if (end === 'invalid') reject('ended_at', 'import_date', cell('end_date'), cell('end_time') || cell('end'));
  else if (end !== undefined) times.end = end;

  const lengthText = cell('duration');
  // With a serial day, 0.0625 may be a part of a day, or of an hour.
  const isUnclear = isSerial(dayText) && /^0?[.,]\d{3,}$/.test(lengthText);
  const seconds = lengthText === '' || isUnclear ? undefined : parseSeconds(lengthText, durationUnit);
  if (seconds !== undefined) times.seconds = seconds;
  else if (times.end === undefined && end !== 'invalid') {
    if (lengthText === '') reject('ended_at', 'required');
    else reject('duration', 'import_duration', lengthText);
  }
  return errors.length > 0 ? errors : times;
}

function readEnd(
  cell: (field: keyof Layout['at']) => string,
  order: DateOrder,
  startDay: number | undefined,
  start: Moment | undefined,
): WrittenTimes['end'] | 'invalid' {
  const dayText = cell('end_date');
  const clockText = cell('end_time') || (startDay === undefined ? '' : cell('end'));
  const whole = clockText === '' ? cell('end') : '';
  if (whole !== '') return parseMoment(whole, order) ?? 'invalid';
  if (clockText === '') return undefined;
  const clock = parseClock(clockText, isSerial(dayText || cell('start_date') || cell('date')));
  const endDay = dayText === '' ? startDay : parseDay(dayText, order);
  if (clock === undefined || endDay === undefined)
    return (dayText === '' ? parseMoment(clockText, order) : undefined) ?? 'invalid';
  // Without a day of its own, an end before the start is on the next day.
  const isNext = dayText === '' && start !== undefined && 'local' in start && endDay + clock <= start.local;
  return { local: endDay + clock + (isNext ? day : 0), isNextDay: isNext };
}

const momentsOf = (moment: Moment, zone: string) =>
  'instant' in moment ? [moment.instant] : instantsOf(moment.local, zone);

/** Rows with a day only follow one another from the hour at which a day starts. */
export function createPlacement({ zone, dayStartsAt }: Omit<TimeOptions, 'order'>) {
  const ends = new Map<number, number>();
  return function place(written: WrittenTimes): [start: number, end: number] {
    const { end, seconds } = written;
    let { start } = written;
    if (start === undefined && written.day !== undefined) {
      const from = ends.get(written.day) ?? written.day + dayStartsAt;
      ends.set(written.day, from + (seconds ?? 0) * 1000);
      start = { local: from };
    }
    const starts = start === undefined ? [] : momentsOf(start, zone);
    if (end !== undefined && written.day === undefined) {
      const ends = momentsOf(end, zone);
      // A record over the hour that clocks repeat may end before its start.
      if (end.isNextDay === true && 'local' in end) ends.push(...instantsOf(end.local - day, zone));
      const found = agreeingTimes(starts, ends, seconds);
      if (found !== undefined) return [found[0], found[1]];
    }
    const begun = starts[0] ?? 0;
    return [begun, begun + (seconds ?? 0) * 1000];
  };
}

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
