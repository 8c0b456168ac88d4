import { type FieldError, ValidationError } from '../../../errors.ts';
import type { ImportOptions } from '../import-schemas.ts';
import { fileLimits, maxHeaderRows, readRecords, tooManyColumns, tooManyRows } from './import-reader.ts';
import { type Cells, createTableEnd, excerpt, type Layout, layoutOf } from './layout.ts';
import { createRowReader, type Person, personOf, type ReadRow } from './row-format.ts';
import { createOrderDetection } from './row-times.ts';
import type { DateOrder } from './written-times.ts';

export type FileFacts = {
  layout: Layout;
  header: Cells;
  /** The row of the header. */
  headerRow: number;
  order: DateOrder;
  isOrderGuessed: boolean;
  /** Whether it has records of several people. */
  isShared: boolean;
};

/** Reads a file once, to know its columns, the order of its dates and whose records it has. Throws ValidationError. */
export async function inspectFile(path: string, options: ImportOptions): Promise<FileFacts> {
  const first: Cells[] = [];
  let found: { layout: Layout; header: Cells; headerRow: number } | undefined;
  let detection: ReturnType<typeof createOrderDetection> | undefined;
  let isOther: ReturnType<typeof createTableEnd> | undefined;
  const people = new Set<string>();
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
        detection = createOrderDetection(layout);
        isOther = createTableEnd(layout, cells);
      } else if (first.length === maxHeaderRows) break;
      continue;
    }
    rows += 1;
    if (rows > fileLimits.rows) throw tooManyRows();
    if (isOther?.(cells)) continue;
    detection?.look(cells);
    const person = personOf(cells, found.layout);
    if (person !== '' && people.size < 2) people.add(person);
  }
  if (found === undefined)
    throw isTooLong && first.length === 0
      ? ValidationError.of('file', 'import_row_too_long')
      : unknownColumns(first, options);
  const dates = detection?.found() ?? { order: 'month_first', isGuessed: false };
  const isGiven = options.date_order !== 'auto';
  return {
    ...found,
    order: options.date_order === 'auto' ? dates.order : options.date_order,
    isOrderGuessed: !isGiven && dates.isGuessed,
    isShared: options.people === 'own' && people.size > 1,
  };
}

function usableLayout(header: Cells, { columns, default_project }: ImportOptions): Layout | undefined {
  const layout = layoutOf(header, columns);
  if (layout === undefined || 'unknown' in layout) return undefined;
  const hasProject = layout.at.project !== undefined || layout.at.project_id !== undefined;
  return hasProject || default_project !== undefined ? layout : undefined;
}

function unknownColumns([header = [], ...rest]: readonly Cells[], { columns }: ImportOptions): ValidationError {
  const widest = [header, ...rest].reduce((one, other) => (other.length > one.length ? other : one));
  const found = excerpt(
    widest
      .map((name) => name.trim())
      .filter(Boolean)
      .join(', '),
    200,
  );
  const layout = layoutOf(widest, columns);
  if (layout !== undefined && 'unknown' in layout) {
    const name = excerpt(columns?.[layout.unknown] ?? '');
    return ValidationError.of('columns', 'import_column_missing', { field: layout.unknown, name, found });
  }
  if (found === '') return ValidationError.of('file', 'import_empty');
  return ValidationError.of('file', 'import_unknown_columns', { found });
}

export type NumberedRow = { row: number; read: ReadRow };
const tooLong: FieldError = { field: 'file', message: { key: 'import_row_too_long' } };

/** The rows of an inspected file, as drafts or with what is wrong. */
export async function* readRows(
  path: string,
  facts: FileFacts,
  { person, zone, options }: { person: Person; zone: string; options: ImportOptions },
): AsyncGenerator<NumberedRow> {
  const readRow = createRowReader(facts.layout, facts.header, {
    ...{ person, zone, order: facts.order, isShared: facts.isShared },
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
