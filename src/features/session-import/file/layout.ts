import { withoutGuard } from '../../../lib/export/exporter.ts';
import { type ColumnField, columnFields, columnNames, inMinutes, type OwnField, ownNames } from './column-names.ts';

export type Cells = readonly string[];
export type Layout = {
  /** Subscripts of the cells. */
  at: Partial<Record<ColumnField | OwnField, number>>;
  /** Header by field, for the report. */
  columns: Partial<Record<ColumnField, string>>;
  durationUnit: 'hours' | 'minutes';
};
/** Header by field, as the caller assigns them. */
export type Assigned = Partial<Record<ColumnField, string>>;

const plain = (header: string) =>
  header
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, ' ');

/** The layout of a header. A field is named if an assigned column does not exist; undefined if times are missing. */
export function layoutOf(header: Cells, assigned: Assigned = {}): Layout | { unknown: ColumnField } | undefined {
  const names = header.map((cell) => plain(withoutGuard(cell)));
  const subscript = (name: string) => {
    const found = names.indexOf(name);
    return found < 0 ? undefined : found;
  };
  const at: Layout['at'] = {};
  for (const field of columnFields) {
    const given = assigned[field];
    const found = given === undefined ? first(columnNames[field], subscript) : subscript(plain(given));
    if (given !== undefined && found === undefined) return { unknown: field };
    if (found !== undefined) at[field] = found;
  }
  // An export of this service.
  if (names.includes('started at') && names.includes('ended at') && assigned.start === undefined)
    for (const [field, name] of Object.entries(ownNames) as [OwnField, string][]) {
      const found = subscript(name);
      if (found !== undefined) at[field] = found;
    }
  withoutDays(at, 'start');
  withoutDays(at, 'end');
  if (!hasTimes(at)) return undefined;
  const columns: Layout['columns'] = {};
  for (const field of columnFields) {
    const found = at[field];
    if (found !== undefined) columns[field] = header[found]?.trim() ?? '';
  }
  const duration = at.duration === undefined ? '' : (names[at.duration] ?? '');
  return { at, columns, durationUnit: inMinutes.test(duration) ? 'minutes' : 'hours' };
}

function first(names: readonly string[], subscript: (name: string) => number | undefined): number | undefined {
  for (const name of names) {
    const found = subscript(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Without a column for the day, a "start time" holds both. */
function withoutDays(at: Layout['at'], side: 'start' | 'end'): void {
  const time = `${side}_time` as const;
  if (at.start_date !== undefined || at.date !== undefined || at[time] === undefined || at[side] !== undefined) return;
  at[side] = at[time];
  delete at[time];
}

function hasTimes(at: Layout['at']): boolean {
  const hasLength = at.duration !== undefined;
  if (at.start !== undefined) return at.end !== undefined || hasLength;
  const hasDay = at.start_date !== undefined || at.date !== undefined;
  return hasDay && (hasLength || (at.start_time !== undefined && at.end_time !== undefined));
}
