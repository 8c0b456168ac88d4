import { withoutGuard } from '../../../../lib/export/exporter.ts';
import type { FileColumn } from '../../../../texts/errors.ts';
import {
  type ColumnField,
  columnFields,
  columnNames,
  type OwnField,
  ownNames,
  plainHeader,
  timeNames,
  zonedHeader,
} from './column-names.ts';
import { fileLimits } from './import-reader.ts';
import { durationColumn, type HeaderUnits, unitsIn } from './written-durations.ts';

export type Cells = readonly string[];
export type Layout = {
  /** Subscripts of the cells. */
  at: Partial<Record<ColumnField | OwnField | 'last_name', number>>;
  /** Header by field, for the report. */
  columns: Partial<Record<ColumnField, string>>;
  /** Headers of columns that are not read. */
  unread: readonly string[];
  duration: HeaderUnits;
  /** What local times are ahead of UTC, by field, if the header says it. */
  offsets: Partial<Record<ColumnField, number>>;
};
/** Header by field, as the caller assigns them. */
export type Assigned = Partial<Record<ColumnField, string>>;

/** The beginning of a text of a file, for messages. */
export function excerpt(text: string, maximum = 40): string {
  const characters = [...text.slice(0, 4 * maximum)].filter((one) => !/[\p{Cc}\p{Cs}]/u.test(one));
  return characters.length > maximum ? `${characters.slice(0, maximum).join('')}…` : characters.join('');
}

/** The columns that have a name, each with its cell in the first row. */
export const fileColumns = (header: Cells, first: Cells): FileColumn[] =>
  header
    .map((name, index) => ({
      name: excerpt(withoutGuard(name).trim(), 200),
      example: excerpt(withoutGuard(first[index] ?? '').trim(), 200),
    }))
    .filter(({ name }) => name !== '')
    .slice(0, fileLimits.columns);

/** What spreadsheets show in place of a value that they cannot compute or that is too wide, in any of their languages. */
export const spreadsheetError = /^#(?:[\p{Lu}\d/_]+[!?]|N\/A|NV|#{2,})$/u;

/** The text of the cells that no column of the header is above, such as the second half of a text with a separator and no quotes. */
export const beyondHeader = (cells: Cells, header: Cells): string =>
  cells
    .slice(header.length)
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(', ');

/** Finds the columns with values that have no name in the header; they are named by their letters, as in a spreadsheet: `(C)`. */
export function createUnnamedColumns(header: Cells) {
  const unnamed = header.flatMap((name, index) => (name.trim() === '' ? [index] : []));
  const found = new Set<number>();
  return {
    look(cells: Cells): void {
      for (const index of unnamed) if (cells[index]?.trim()) found.add(index);
    },
    names: () => [...found].toSorted((a, b) => a - b).map((index) => `(${letterOf(index)})`),
  };
}

const letterOf = (index: number): string =>
  `${index < 26 ? '' : String.fromCharCode(64 + Math.floor(index / 26))}${String.fromCharCode(65 + (index % 26))}`;

/**
 * The layout of a header. A field is named if an assigned column does not exist, and columns if several hold parts of the duration;
 * undefined if times are missing.
 */
export function layoutOf(
  header: Cells,
  assigned: Assigned = {},
): Layout | { unknown: ColumnField } | { several: readonly string[] } | undefined {
  const names = header.map((cell) => plainHeader(withoutGuard(cell)));
  const zoned = header.map((cell) => zonedHeader(withoutGuard(cell)));
  const subscripts = new Map(
    [...names, ...zoned.map(({ name }) => name)].map((name, index) => [name, index % header.length] as const).reverse(),
  );
  const taken = new Set(Object.values(assigned).map((name) => subscripts.get(plainHeader(name))));
  const subscript = (name: string) => {
    const found = subscripts.get(name);
    return taken.has(found) ? undefined : found;
  };
  const at: Layout['at'] = {};
  for (const field of columnFields) {
    const given = assigned[field];
    if (field === 'duration' && given === undefined) continue;
    const found = given === undefined ? first(columnNames[field], subscript) : subscripts.get(plainHeader(given));
    if (given !== undefined && found === undefined) return { unknown: field };
    if (found !== undefined) at[field] = found;
  }
  // An export of this service.
  if (subscripts.has('started at') && subscripts.has('ended at') && assigned.start === undefined)
    for (const [field, name] of Object.entries(ownNames) as [OwnField, string][]) {
      const found = subscript(name);
      if (found !== undefined) at[field] = found;
    }
  if (at.tags !== undefined && at.tags === at.project) delete at.tags; // Forest has a tag in place of a project
  if (at.email === undefined) nameColumns(at, subscript);
  withoutDays(at, 'start');
  withoutDays(at, 'end');
  const duration = assigned.duration === undefined ? durationColumn(header) : undefined;
  if (duration !== undefined && 'index' in duration) at.duration = duration.index;
  if (duration !== undefined && 'several' in duration && !hasTimes(at))
    return { several: duration.several.map((index) => header[index] ?? '') };
  const lengthName = at.duration === undefined ? undefined : unitsIn(header[at.duration] ?? '').base;
  if (at.start === undefined && at.start_time === undefined && !timeNames.includes(lengthName ?? 'time')) {
    const found = first(timeNames, subscript);
    if (found !== undefined) at.start_time = found;
  }
  if (!hasTimes(at)) return undefined;
  const columns: Layout['columns'] = {};
  const offsets: Layout['offsets'] = {};
  for (const field of columnFields) {
    const found = at[field];
    if (found === undefined) continue;
    columns[field] = excerpt(header[found]?.trim() ?? '', 200);
    const offset = zoned[found]?.offset;
    if (offset !== undefined) offsets[field] = offset;
  }
  const used = new Set(Object.values(at));
  return {
    at,
    columns,
    unread: header
      .filter((name, index) => !used.has(index) && name.trim() !== '')
      .map((name) => excerpt(name.trim(), 200)),
    duration: at.duration === undefined ? {} : unitsIn(header[at.duration] ?? ''),
    offsets,
  };
}

/** Reports may name people by two columns. */
function nameColumns(at: Layout['at'], subscript: (name: string) => number | undefined): void {
  const [first, last] = [subscript('first name'), subscript('last name')];
  if (first === undefined || last === undefined) return;
  at.email = first;
  at.last_name = last;
}

/**
 * Tells which rows are no records: headers that are repeated, and everything after the header of another table, such as the totals
 * that aTimeLogger writes below.
 */
export function createTableEnd({ at }: Layout, header: Cells): (cells: Cells) => boolean {
  const used = [...new Set(Object.values(at))];
  const nameOf = (cell = '') => (cell.length > 200 ? cell : cell.trim().toLowerCase());
  let isOver = false;
  return (cells) => {
    if (isOver) return true;
    const equal = used.filter((column) => nameOf(cells[column]) === nameOf(header[column])).length;
    isOver = equal >= 2 && equal < used.length;
    return isOver || equal === used.length;
  };
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
