import { withoutGuard } from '../../../../lib/export/exporter.ts';
import { joinName } from '../../../../lib/person-name.ts';
import { ValidationError } from '../../../../texts/errors.ts';
import { maxHeaderRows, readRecords } from '../../../study/session-import/file/import-reader.ts';
import { beyondHeader, createUnnamedColumns, excerpt } from '../../../study/session-import/file/layout.ts';
import { type RosterColumn, type RosterLayout, rosterLayout } from './roster-columns.ts';
import { createRosterRows, type RosterFile } from './roster-row.ts';

/** Rows of a roster: accounts of a school district. */
export const maxRosterRows = 50_000;

const separators = /[;；|\r\n]/;

/** Reads a table with columns for names, addresses and groups. Throws ValidationError for any other. */
export async function readRosterCsv(path: string): Promise<RosterFile> {
  const rows = createRosterRows('csv');
  let layout: RosterLayout | undefined;
  let header: readonly string[] = [];
  let unnamed: ReturnType<typeof createUnnamedColumns> | undefined;
  for await (const { row, cells } of readRecords(path, maxRosterRows)) {
    if (cells === undefined) {
      rows.fail('', row, 'file', 'import_row_too_long');
    } else if (layout === undefined) {
      layout = rosterLayout(cells);
      if (header.length === 0 || layout !== undefined) header = cells;
      if (layout !== undefined) unnamed = createUnnamedColumns(cells);
      if (layout === undefined && row > maxHeaderRows) break;
    } else {
      const beyond = beyondHeader(cells, header);
      if (beyond !== '') {
        rows.fail('', row, 'file', 'import_more_cells', { found: excerpt(beyond) });
        continue;
      }
      unnamed?.look(cells);
      const { at } = layout;
      const all = (field: RosterColumn) => (at[field] ?? []).map((index) => withoutGuard(cells[index] ?? '').trim());
      const cell = (field: RosterColumn) => all(field)[0] ?? '';
      const given = {
        username: cell('username').replace(/@.*$/, ''), // Entra has addresses as user names
        email: cell('email'),
        display_name: cell('display_name') || joinName(cell('first_name'), cell('last_name')),
        external_id: cell('external_id'),
      };
      const groups = at.group === undefined ? null : all('group').flatMap((text) => text.split(separators));
      rows.add('', row, given, groups);
    }
  }
  if (layout === undefined) {
    const found = excerpt(
      header
        .map((name) => name.trim())
        .filter(Boolean)
        .join(', '),
      200,
    );
    throw found === ''
      ? ValidationError.of('file', 'import_empty')
      : ValidationError.of('file', 'roster_columns', { found });
  }
  const { read, unread } = layout.columns;
  return { ...rows.found, columns: { read, unread: [...unread, ...(unnamed?.names() ?? [])] } };
}
