import type { ZoneRules } from '../../../../db/time-zones.ts';
import { type FieldError, type FileColumn, ValidationError } from '../../../../texts/errors.ts';
import type { ImportOptions } from '../import-status-schemas.ts';
import { type ColumnReading, createDetection, createReadings, type Found } from './column-readings.ts';
import { fileLimits, maxHeaderRows, readRecords, tooManyColumns, tooManyRows } from './import-reader.ts';
import {
  type Cells,
  createTableEnd,
  createUnnamedColumns,
  excerpt,
  fileColumns,
  type Layout,
  layoutOf,
} from './layout.ts';
import { createRowReader, type Person, personOf, type ReadRow } from './row-format.ts';

export type FileFacts = Found & {
  layout: Layout;
  header: Cells;
  /** The row of the header. */
  headerRow: number;
  fileColumns: FileColumn[];
  /** How the columns were read; filled while the rows are. */
  readings: ColumnReading[];
  /** Whether it has records of several people. */
  isShared: boolean;
};

/** Reads a file once, to know its columns, how they are written and whose records it has. Throws ValidationError. */
export async function inspectFile(path: string, options: ImportOptions, now: Date): Promise<FileFacts> {
  const first: Cells[] = [];
  let found: { layout: Layout; header: Cells; headerRow: number } | undefined;
  let detection: ReturnType<typeof createDetection> | undefined;
  let isOther: ReturnType<typeof createTableEnd> | undefined;
  let unnamed: ReturnType<typeof createUnnamedColumns> | undefined;
  const people = new Set<string>();
  let example: Cells | undefined;
  let rows = 0;
  let isTooLong = false;
  for await (const { row, cells } of readRecords(path)) {
    if (cells === undefined) {
      isTooLong = true;
      continue;
    }
    if (found === undefined) {
      first.push(cells);
      const layout = usableLayout(cells, options);
      if (layout !== undefined) {
        if (cells.length > fileLimits.columns) throw tooManyColumns(row);
        found = { layout, header: cells, headerRow: row };
        detection = createDetection(layout, options, now.getTime());
        isOther = createTableEnd(layout, cells);
        unnamed = createUnnamedColumns(cells);
      } else if (first.length === maxHeaderRows) break;
      continue;
    }
    rows += 1;
    if (rows > fileLimits.rows) throw tooManyRows();
    if (isOther?.(cells)) continue;
    example ??= cells;
    detection?.look(cells);
    unnamed?.look(cells);
    const person = personOf(cells, found.layout);
    if (person !== '' && people.size < 2) people.add(person);
  }
  if (found === undefined || detection === undefined)
    throw isTooLong && first.length === 0
      ? ValidationError.of('file', 'import_row_too_long')
      : unknownColumns(first, options);
  const unread = [...found.layout.unread, ...(unnamed?.names() ?? [])];
  return {
    ...found,
    layout: { ...found.layout, unread },
    fileColumns: fileColumns(found.header, example ?? []),
    ...detection.found(),
    readings: [],
    isShared: options.people === 'own' && people.size > 1,
  };
}

function usableLayout(header: Cells, { columns, default_project }: ImportOptions): Layout | undefined {
  const layout = layoutOf(header, columns);
  if (layout === undefined || !('at' in layout)) return undefined;
  const hasProject = layout.at.project !== undefined || layout.at.project_id !== undefined;
  return hasProject || default_project !== undefined ? layout : undefined;
}

/** Of the first rows: those above the header, such as a title, have fewer cells. */
function unknownColumns(rows: readonly Cells[], options: ImportOptions): ValidationError {
  const filled = (cells: Cells) => cells.filter((cell) => cell.trim() !== '').length;
  const most = Math.max(0, ...rows.map(filled));
  const [header = [], example = []] = rows.slice(rows.findIndex((cells) => filled(cells) === most));
  const file_columns = fileColumns(header, example);
  if (file_columns.length === 0) return ValidationError.of('file', 'import_empty');
  return new ValidationError([{ ...headerProblem(header, file_columns, options), file_columns }]);
}

function headerProblem(header: Cells, found: readonly FileColumn[], { columns }: ImportOptions): FieldError {
  const layout = layoutOf(header, columns);
  const listOf = (names: readonly string[]) => excerpt(names.join(', '), 200);
  const names = listOf(found.map(({ name }) => name));
  if (layout !== undefined && 'unknown' in layout) {
    const name = excerpt(columns?.[layout.unknown] ?? '');
    const params = { field: layout.unknown, name, found: names };
    return { field: 'columns', message: { key: 'import_column_missing', params } };
  }
  if (layout !== undefined && 'several' in layout) {
    const params = { found: listOf(layout.several) };
    return { field: 'columns', message: { key: 'import_several_durations', params } };
  }
  return { field: 'file', message: { key: 'import_unknown_columns', params: { found: names } } };
}

export type NumberedRow = { row: number; read: ReadRow };
const tooLong: FieldError = { field: 'file', message: { key: 'import_row_too_long' } };

/** The rows of an inspected file, as drafts or with what is wrong. */
export async function* readRows(
  path: string,
  facts: FileFacts,
  { person, zone, rules, options }: { person: Person; zone: string; rules: ZoneRules; options: ImportOptions },
): AsyncGenerator<NumberedRow> {
  const { readings, note } = createReadings(facts.layout);
  facts.readings = readings;
  const readRow = createRowReader(facts.layout, facts.header, {
    person,
    zone,
    rules,
    reading: facts.reading,
    note,
    isShared: facts.isShared,
    dayStartsAt: options.day_starts_at,
    createsProjects: options.create_projects,
    fromOtherAccount: options.from_other_account,
    defaultProject: options.default_project,
    projectMap: new Map(Object.entries(options.project_map ?? {})),
  });
  for await (const { row, cells } of readRecords(path)) {
    if (row <= facts.headerRow) continue;
    yield { row, read: cells === undefined ? { errors: [tooLong] } : readRow(cells) };
  }
}
