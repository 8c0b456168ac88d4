import type { FieldError } from '../../../errors.ts';
import { parsePart } from '../../../http/field-errors.ts';
import { moment, text, timeZone } from '../../../http/fields.ts';
import { withoutGuard } from '../../../lib/csv/csv.ts';
import type { MessageKey } from '../../../messages/index.ts';
import { sessionSources } from '../../study-sessions/session-schemas.ts';
import type { Cells } from './import-reader.ts';

/** A row that is valid by itself. Times are text for PostgreSQL, with an offset or a time zone name. */
export type Draft = {
  project_id: number | null;
  project_name: string;
  started: string;
  ended: string | null;
  seconds: number | null;
  note: string;
  source: string;
  time_zone: string;
  auto_stopped: boolean;
};

export type DateOrder = 'day first' | 'month first';
type Options = { userId: number; timeZone: string; dateOrder: DateOrder };
export type Format = (cells: Cells, options: Options) => Draft | FieldError[];

/** Detects the format by the columns: an export of this service, or a detailed report of Toggl Track or Clockify. */
export function formatOf(cells: Cells): Format | undefined {
  const has = (...names: string[]) => names.every((name) => name in cells);
  if (has('started_at', 'ended_at') && (has('project_id') || has('project_name'))) return readOwn;
  if (has('start date', 'start time', 'project')) return readReport;
  return undefined;
}

/** The order of day and month in a date with slashes or hyphens; undefined if ambiguous. */
export function dateOrderOf(cells: Cells): DateOrder | undefined {
  const [, first, second] = /^(\d{1,2})[/-](\d{1,2})[/-]\d{4}$/.exec(cells['start date']?.trim() ?? '') ?? [];
  if (Number(first) > 12) return 'day first';
  return Number(second) > 12 ? 'month first' : undefined;
}

function createChecks() {
  const errors: FieldError[] = [];
  const reject = (field: string, key: MessageKey) => void errors.push({ field, message: { key } });
  return { errors, reject };
}

const maxNoteLength = 500;
const maxNameLength = 50;
const noteText = text({ max: maxNoteLength, multiline: true });
const nameText = text({ max: maxNameLength });

/**
 * Normalises text as for storage. That takes quadratic time in consecutive combining marks, so the raw length and
 * their number are limited first; no language has more than 30 (the Stream-Safe Text Format of UAX #15).
 */
function readText(kind: typeof noteText, field: string, maximum: number, given: string, errors: FieldError[]): string {
  if (given.length > 4 * maximum) {
    errors.push({ field, message: { key: 'too_long', params: { maximum } } });
    return '';
  }
  if (/\p{M}{31}/u.test(given)) {
    errors.push({ field, message: { key: 'import_marks' } });
    return '';
  }
  const parsed = parsePart(kind, given, field);
  if (!parsed.ok) errors.push(...parsed.errors);
  return parsed.ok ? parsed.value : '';
}

const readNote = (given: string, errors: FieldError[]) => readText(noteText, 'note', maxNoteLength, given, errors);
const readName = (given: string, errors: FieldError[]) => readText(nameText, 'project', maxNameLength, given, errors);

function finishRow(draft: Draft, errors: FieldError[], cells: Cells): Draft | FieldError[] {
  const found = errors.length > 0 ? errors : nulErrors(cells);
  return found.length > 0 ? found : draft;
}

/** PostgreSQL cannot store NUL. Unused columns are checked too: such a file is corrupt. */
function nulErrors(cells: Cells): FieldError[] {
  const column = Object.keys(cells).find((name) => cells[name]?.includes('\u0000'));
  return column === undefined ? [] : [{ field: column.slice(0, 50), message: { key: 'invalid_text' } }];
}

/** PostgreSQL and JavaScript format years before 1 and after 9999 differently. */
function yearProblem(year: number): MessageKey | undefined {
  if (year < 1) return 'session_too_early';
  return year > 9999 ? 'session_in_future' : undefined;
}

function readOwn(cells: Cells, { userId, timeZone: fallbackZone }: Options): Draft | FieldError[] {
  const { errors, reject } = createChecks();
  const cell = (name: string) => withoutGuard(cells[name] ?? '');
  const readMoment = (field: string) => {
    const parsed = moment.safeParse(cell(field).trim());
    const problem = parsed.success ? yearProblem(parsed.data.getUTCFullYear()) : 'invalid_date';
    if (problem !== undefined) reject(field, problem);
    return parsed.success ? parsed.data.toISOString() : '';
  };
  const userText = cell('user_id').trim();
  if (userText !== '' && userText !== String(userId)) reject('user_id', 'import_not_yours');
  const idText = cell('project_id').trim();
  const zone = parsePart(timeZone, cell('time_zone').trim() || fallbackZone, 'time_zone');
  if (!zone.ok) errors.push(...zone.errors);
  const source = cell('source').trim() || 'manual';
  if (!sessionSources.some((known) => known === source)) reject('source', 'invalid');
  const draft = {
    project_id: /^[1-9]\d{0,14}$/.test(idText) ? Number(idText) : null,
    project_name: readName(cell('project_name'), errors),
    started: readMoment('started_at'),
    ended: readMoment('ended_at'),
    seconds: null,
    note: readNote(cell('note'), errors),
    source,
    time_zone: zone.ok ? zone.value : fallbackZone,
    auto_stopped: cell('auto_stopped').trim().toLowerCase() === 'true', // spreadsheets write TRUE
  };
  return finishRow(draft, errors, cells);
}

function readReport(cells: Cells, { timeZone: zone, dateOrder }: Options): Draft | FieldError[] {
  const { errors, reject } = createChecks();
  const first = (...names: string[]) =>
    names.map((name) => cells[name]?.trim() ?? '').find((value) => value !== '') ?? '';
  const readLocal = (field: string, date: string, time: string) => {
    const local = localMoment(date, time, dateOrder);
    const problem = local === undefined ? 'import_date' : yearProblem(Number(local.slice(0, 4)));
    if (problem !== undefined) reject(field, problem);
    return `${local} ${zone}`;
  };
  const endDate = first('end date', 'stop date');
  const seconds = secondsOf(first('duration', 'duration (h)'));
  if (endDate === '' && seconds === null) reject('ended_at', 'required');
  const draft = {
    project_id: null,
    project_name: readName(first('project'), errors),
    started: readLocal('started_at', first('start date'), first('start time')),
    ended: endDate === '' ? null : readLocal('ended_at', endDate, first('end time', 'stop time')),
    seconds,
    note: readNote(cells['description'] ?? '', errors),
    source: 'manual',
    time_zone: zone,
    auto_stopped: false,
  };
  return finishRow(draft, errors, cells);
}

/** Parses the formats of reports to `2026-02-01 08:00:00`; undefined for an invalid day or time. */
function localMoment(dateText: string, timeText: string, order: DateOrder): string | undefined {
  const date = dateParts(dateText, order);
  const time = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([ap])\.?m\.?)?$/i.exec(timeText);
  if (date === undefined || time === null) return undefined;
  const [, hourText, minute, second = '00', half] = time;
  let hour = Number(hourText);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  if (half !== undefined) hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const written = `${date}T${String(hour).padStart(2, '0')}:${minute}:${second}`;
  const parsed = new Date(`${written}.000Z`);
  // 30 February would become 2 March.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(written)
    ? written.replace('T', ' ')
    : undefined;
}

function dateParts(given: string, order: DateOrder): string | undefined {
  if (/^\d{4}([/.-])\d{2}\1\d{2}$/.test(given)) return given.replace(/[/.]/g, '-');
  const [, a = '', b = '', year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(given) ?? [];
  if (year === undefined) return undefined;
  const [day, month] = order === 'day first' || given.includes('.') ? [a, b] : [b, a];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function secondsOf(given: string): number | null {
  const [, hours, minutes, seconds] = /^(\d{1,3}):(\d{2}):(\d{2})$/.exec(given) ?? [];
  return hours === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
