import type { FieldError } from '../../../../texts/errors.ts';
import type { MessageKey } from '../../../../texts/index.ts';
import type { ColumnField } from './column-names.ts';
import { type Cells, excerpt, type Layout } from './layout.ts';
import { type DecimalMarks, type Length, lacksUnit, readDuration } from './written-durations.ts';
import { type DateOptions, readWhen, type Written, withOffset } from './written-times.ts';
import type { DurationUnit } from './written-words.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** How the columns of a file are to be read. */
export type Reading = DateOptions & {
  /** Units of 90 and of the first number of 1:30, if they are known. */
  units: { number?: DurationUnit | undefined; clock?: DurationUnit | undefined };
  marks: DecimalMarks;
  /** Some times of the file are of 24 hours, so 1:00 is at night. */
  is24Hours: boolean;
  offsets: Layout['offsets'];
  /** The unit was chosen. */
  isUnitGiven: boolean;
  /** The unit is not known yet, so a duration contradicts nothing. */
  isTrial?: boolean;
  /** Columns of dates that have times of day as well: midnight is a time in them, and not only the form of a date. */
  timed: ReadonlySet<ColumnField>;
};

export type Moment = { instant: number } | { local: number };
/** What a row says about its times. `day`: only the day is known. */
export type RowTimes = { start?: Moment; day?: number; end?: Moment & { isNextDay?: boolean }; seconds?: number };
/** Called with each cell that was read. */
export type Note = (field: ColumnField, text: string, read: Written | Length) => void;

type Cell = { field: ColumnField; text: string };
type Problem = { key: MessageKey; params: Record<string, string> };
const problem = (key: MessageKey, found: string, other?: string): Problem => ({
  key,
  params: { found: excerpt(found), ...(other !== undefined && { other: excerpt(other) }) },
});

/** Reads the times of a row, or the fields that cannot be read. */
export function readTimes(
  cells: Cells,
  at: Layout['at'],
  reading: Reading,
  note: Note = () => {},
): RowTimes | FieldError[] {
  const pick = (...fields: readonly ColumnField[]): Cell | undefined => {
    for (const field of fields) {
      const text = cells[at[field] ?? -1]?.trim() ?? '';
      if (text !== '') return { field, text };
    }
    return undefined;
  };
  const errors: FieldError[] = [];
  const reject = (field: string, found: Problem | { key: 'required' }) => void errors.push({ field, message: found });
  const times: RowTimes = {};

  const dayCell = pick('start_date', 'date', 'start');
  const start = join(
    dayCell,
    pick('start_time', ...(dayCell?.field === 'start' ? [] : ['start' as const])),
    reading,
    note,
  );
  if (start === undefined) reject('started_at', { key: 'required' });
  else if ('key' in start) reject('started_at', start);
  else if (start.time === undefined) times.day = start.day;
  else times.start = momentOf(start);

  const endDay = pick('end_date');
  const endClock = pick('end_time', 'end');
  const written = start === undefined || 'key' in start ? undefined : start;
  const end = endDay === undefined ? endOf(endClock, written, reading, note) : join(endDay, endClock, reading, note);
  const lengthCell = pick('duration');
  if (end !== undefined && 'key' in end) reject('ended_at', end);
  else if (end?.time !== undefined) times.end = { ...momentOf(end), isNextDay: end.isNextDay === true };
  else if (end !== undefined && lengthCell === undefined)
    reject('ended_at', problem('import_date', endDay?.text ?? ''));

  const length = lengthCell && readLength(lengthCell, written, reading);
  if (length !== undefined && !('key' in length)) {
    times.seconds = length.milliseconds / 1000;
    note('duration', lengthCell?.text ?? '', length);
  } else if (times.end === undefined && errors.every(({ field }) => field !== 'ended_at')) {
    if (length === undefined) reject('ended_at', { key: 'required' });
    else reject('duration', length);
  } else if (times.start === undefined && times.end !== undefined && written !== undefined)
    reject('started_at', { key: 'required' });
  if (times.end !== undefined && written?.time !== undefined && end !== undefined && !('key' in end)) {
    const against = contradictionOf(written, end, reading.isTrial === true ? undefined : times.seconds);
    const other = against === 'length' ? lengthCell : (pick('start_time', 'start') ?? dayCell);
    const endText = (endClock ?? endDay)?.text ?? '';
    if (against !== undefined) reject('ended_at', problem('import_contradiction', endText, other?.text));
    else if (isHalfUnclear(written, end, times.seconds, reading))
      reject('ended_at', problem('import_half_unclear', endText, other?.text));
  }
  return errors.length > 0 ? errors : times;
}

type Side = Written & { day: number; isNextDay?: boolean };

/**
 * What the end of a row contradicts. An hour is the difference that a change of the clocks makes; 9:00 to 1:30 with a duration of 4:30
 * does not end on the next day. From 1:00 PM to 2:00 may be an hour, or thirteen.
 */
function contradictionOf(start: Side, end: Side, seconds: number | undefined): 'start' | 'length' | undefined {
  if ((start.offset === undefined) !== (end.offset === undefined)) return 'start';
  const positionOf = ({ day: date, time = 0, offset = 0 }: Side) => date + time - offset;
  const between = positionOf(end) - positionOf(start);
  if (seconds !== undefined) {
    const differs = (length: number) => Math.abs(length - seconds * 1000) > hour;
    return differs(between) && !(end.isNextDay === true && !differs(between - day + hour)) ? 'length' : undefined;
  }
  const isUnclear = (start.half === true && isOpen(end)) || (end.half === true && isOpen(start));
  return isUnclear && between > 12 * hour && between < day ? 'start' : undefined;
}

/** 1 to 12 o'clock without am and pm. */
const isOpen = ({ half, time = 0 }: Side) => half !== true && time >= hour && time < 13 * hour;

/** Whether 11:00 to 1:00 may be two hours, or fourteen: no time of the file says that it has those of a day of 24 hours. */
const isHalfUnclear = (start: Side, end: Side, seconds: number | undefined, { is24Hours, isTrial }: Reading) =>
  end.isNextDay === true && seconds === undefined && !is24Hours && isTrial !== true && isOpen(start) && isOpen(end);

/** The days with which databases and spreadsheets write a time of day alone. */
const noDays = new Set(['1899-12-30', '1899-12-31', '1900-01-01', '1970-01-01'].map(Date.parse));

/** What the cell of a day and that of a time say together, or what is wrong. */
function join(
  dayCell: Cell | undefined,
  clockCell: Cell | undefined,
  reading: Reading,
  note: Note,
): Side | Problem | undefined {
  if (dayCell === undefined) return clockCell && problem('import_date', clockCell.text);
  const date = withOffset(readWhen(dayCell.text, 'day', reading), reading.offsets[dayCell.field]);
  const both = [dayCell.text, clockCell?.text].filter(Boolean).join(' ');
  if (date?.day === undefined) return problem('import_date', both);
  // Databases and spreadsheets write dates with a time of midnight.
  const isDate =
    date.time === 0 && !reading.timed.has(dayCell.field) && (dayCell.field !== 'start' || clockCell !== undefined);
  const { time: _, offset: __, ...dateOnly } = date;
  const whole: Side = { ...(isDate ? dateOnly : date), day: date.day };
  note(dayCell.field, dayCell.text, whole);
  if (clockCell === undefined) return whole;
  const clock = readClock(clockCell, whole.way.startsWith('{serial}'), reading);
  if (clock?.time === undefined) return problem('import_date', both);
  const isOther = clock.day !== undefined && clock.day !== whole.day;
  if (isOther || (whole.time !== undefined && whole.time !== clock.time))
    return problem('import_contradiction', dayCell.text, clockCell.text);
  note(clockCell.field, clockCell.text, clock);
  const offset = clock.offset ?? whole.offset ?? reading.offsets[dayCell.field];
  const half = clock.half ?? whole.half;
  return { ...whole, time: clock.time, ...(offset !== undefined && { offset }), ...(half && { half }) };
}

/** An end without a day of its own is on the day of the start, or on the next one if it is before the start. */
function endOf(
  cell: Cell | undefined,
  start: Side | undefined,
  reading: Reading,
  note: Note,
): Side | Problem | undefined {
  if (cell === undefined) return undefined;
  const clock = readClock(cell, start?.way.startsWith('{serial}') === true, reading);
  // Beside a start that cannot be read, the end is not what is wrong.
  const isKnown = clock?.day !== undefined || start === undefined || start.offset === clock?.offset;
  if (clock?.time === undefined || !isKnown) return problem('import_date', cell.text);
  note(cell.field, cell.text, clock);
  if (clock.day !== undefined) return { ...clock, day: clock.day };
  const isNextDay = start?.time !== undefined && clock.time < start.time;
  return { ...clock, day: (start?.day ?? 0) + (isNextDay ? day : 0), isNextDay };
}

/** A time of day, also with a day. A part of a day is one only beside a day that is a number. */
function readClock({ field, text }: Cell, isSerial: boolean, reading: Reading): Written | undefined {
  const read = withOffset(readWhen(text, 'time', reading), reading.offsets[field]);
  if (read?.way === '{part}' && !isSerial) return undefined;
  if (read?.day === undefined || read.offset !== undefined || !noDays.has(read.day)) return read;
  return { way: read.way, time: read.time ?? 0 };
}

function readLength({ text }: Cell, start: Side | undefined, reading: Reading): Length | Problem {
  const { units, marks, isUnitGiven } = reading;
  const unit = text.includes(':') ? units.clock : units.number;
  // Beside a day that is a number, 0.0625 may be a part of a day, or of an hour.
  const isPart = start?.way.startsWith('{serial}') === true && /^0?[.,]\d{3,}$/.test(text) && !isUnitGiven;
  const read = isPart && lacksUnit(text) ? 'asked' : readDuration(text, { unit, marks });
  if (read === 'asked') return problem('import_duration_unit', text);
  return read ?? problem('import_duration', text);
}

function momentOf({ day: date, time = 0, offset }: Side): Moment {
  return offset === undefined ? { local: date + time } : { instant: date + time - offset };
}
