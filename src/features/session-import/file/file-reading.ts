import { type FieldError, ValidationError } from '../../../errors.ts';
import type { ImportOptions } from '../import-schemas.ts';
import { readCsvFile } from './import-reader.ts';
import { type Layout, layoutOf } from './layout.ts';
import { createRowReader, type Person, personKey, type ReadRow } from './row-format.ts';
import { createOrderDetection } from './row-times.ts';
import type { DateOrder } from './written-times.ts';

export type FileFacts = {
  layout: Layout;
  header: readonly string[];
  order: DateOrder;
  isOrderGuessed: boolean;
  /** Whether it has records of several people. */
  isShared: boolean;
};

/** Reads a file once, to know its columns, the order of its dates and whose records it has. Throws ValidationError. */
export async function inspectFile(path: string, options: ImportOptions): Promise<FileFacts> {
  let header: readonly string[] | undefined;
  let layout: Layout | undefined;
  let detection: ReturnType<typeof createOrderDetection> | undefined;
  const people = new Set<string>();
  for await (const { cells } of readCsvFile(path)) {
    if (cells === undefined) continue;
    if (header === undefined || layout === undefined) {
      header = cells;
      layout = usableLayout(cells, options);
      detection = createOrderDetection(layout);
      continue;
    }
    detection?.look(cells);
    const person = layout.at.email === undefined ? '' : personKey(cells[layout.at.email] ?? '');
    if (person !== '' && people.size < 2) people.add(person);
  }
  if (header === undefined || layout === undefined) throw ValidationError.of('file', 'import_unknown_columns');
  const found = detection?.found() ?? { order: 'month_first', isGuessed: false };
  const isGiven = options.date_order !== 'auto';
  return {
    layout,
    header,
    order: options.date_order === 'auto' ? found.order : options.date_order,
    isOrderGuessed: !isGiven && found.isGuessed,
    isShared: options.people === 'own' && people.size > 1,
  };
}

function usableLayout(header: readonly string[], { columns, default_project }: ImportOptions): Layout {
  const layout = layoutOf(header, columns);
  if (layout === undefined) throw ValidationError.of('file', 'import_unknown_columns');
  if ('unknown' in layout) throw ValidationError.of('columns', 'import_column_missing', { field: layout.unknown });
  const hasProject = layout.at.project !== undefined || layout.at.project_id !== undefined;
  if (!hasProject && default_project === undefined) throw ValidationError.of('file', 'import_unknown_columns');
  return layout;
}

export type NumberedRow = { row: number; read: ReadRow };
const unreadable: FieldError = { field: 'file', message: { key: 'import_row_broken' } };

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
  let isHeader = true;
  for await (const { row, cells } of readCsvFile(path)) {
    if (cells === undefined) yield { row, read: { errors: [unreadable] } };
    else if (isHeader) isHeader = false;
    else yield { row, read: readRow(cells) };
  }
}
