import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { joinName } from '../../../../lib/person-name.ts';
import { ValidationError } from '../../../../texts/errors.ts';
import { readRecords } from '../../../study/session-import/file/import-reader.ts';
import { excerpt } from '../../../study/session-import/file/layout.ts';
import { choiceIn, dateIn, isDeleted, roleIn, student, type TableRow } from './oneroster-values.ts';
import { maxRosterRows } from './roster-csv.ts';
import { createRosterRows, type RosterFile, type RosterRows } from './roster-row.ts';
import { openZip, type ZipArchive } from './zip-archive.ts';

/** A student has about seven classes. */
const maxEnrollments = 400_000;
export const maxClasses = 20_000;

type ReadTable = { path: string; file: string; required: readonly string[]; maxRows: number; rows: RosterRows };

/** Reads a file of a OneRoster archive. Throws ValidationError if a column is missing. */
async function* readTable({ path, file, required, maxRows, rows }: ReadTable): AsyncGenerator<TableRow> {
  let columns: Map<string, number> | undefined;
  for await (const { row, cells } of readRecords(path, maxRows)) {
    if (cells === undefined) {
      rows.fail(file, row, 'file', 'import_row_too_long');
    } else if (columns === undefined) {
      columns = new Map(cells.map((name, index) => [name.trim().toLowerCase(), index]));
      const missing = required.filter((name) => !columns?.has(name.toLowerCase()));
      if (missing.length > 0) throw ValidationError.of(file, 'roster_column_missing', { names: missing.join(', ') });
    } else {
      const known = columns;
      yield {
        row,
        get: (name) => cells[known.get(name.toLowerCase()) ?? -1]?.trim() ?? '',
        fail: (name, key, params) => rows.fail(file, row, name, key, params),
      };
    }
  }
}

type Context = { archive: ZipArchive; rows: RosterRows; folder: string; today: string };

/** Reads a file of the archive, which is extracted for that long. Nothing if the archive does not have it. */
async function* tableOf(context: Context, file: string, given: Pick<ReadTable, 'required' | 'maxRows'>) {
  const { archive, rows, folder } = context;
  if (!archive.names.includes(file)) return;
  const path = join(folder, `${randomUUID()}.part`);
  try {
    await archive.extract(file, path);
    yield* readTable({ ...given, path, file, rows });
  } finally {
    await rm(path, { force: true });
  }
}

/** With files of changes only, all other accounts would be missing. */
async function checkManifest(context: Context): Promise<void> {
  const properties = new Map<string, string>();
  const file = 'manifest.csv';
  for await (const { get } of tableOf(context, file, { required: ['propertyName', 'value'], maxRows: 200 }))
    properties.set(get('propertyName').toLowerCase(), get('value').toLowerCase());
  const version = properties.get('oneroster.version') ?? '';
  if (!/^1\.[12]\b/.test(version)) throw ValidationError.of(file, 'roster_version', { found: excerpt(version) });
  for (const name of ['users', 'classes', 'enrollments', 'roles']) {
    const mode = properties.get(`file.${name}`) ?? 'bulk';
    if (mode !== 'bulk' && mode !== 'absent')
      throw ValidationError.of(file, 'roster_not_bulk', { name: `file.${name}`, found: excerpt(mode) });
  }
}

/** Titles by id. Classes with the same title are distinguished by their code. */
async function readClasses(context: Context): Promise<Map<string, string>> {
  const { rows } = context;
  const file = 'classes.csv';
  const classes: { id: string; row: number; title: string; code: string }[] = [];
  const titles = new Map<string, number>();
  for await (const line of tableOf(context, file, { required: ['sourcedId', 'title'], maxRows: maxClasses })) {
    if (isDeleted(line)) continue;
    const title = line.get('title');
    classes.push({ id: line.get('sourcedId'), row: line.row, title, code: line.get('classCode') });
    titles.set(title.toLowerCase(), (titles.get(title.toLowerCase()) ?? 0) + 1);
  }
  const named = new Map<string, string>();
  const used = new Map<string, number>();
  for (const { id, row, title, code } of classes) {
    const isAmbiguous = (titles.get(title.toLowerCase()) ?? 0) > 1;
    const name = rows.parse(file, row, 'group', isAmbiguous && code !== '' ? `${title} (${code})` : title);
    if (name === null) rows.fail(file, row, 'title', 'required');
    if (name == null) continue;
    const other = used.get(name.toLowerCase());
    if (other !== undefined)
      rows.fail(file, row, 'title', 'roster_class_repeated', { found: excerpt(name), row: other });
    used.set(name.toLowerCase(), row);
    named.set(id, name);
  }
  return named;
}

/** Roles of 1.2 by user; undefined if users.csv has them. */
async function readRoles(context: Context): Promise<Map<string, string> | undefined> {
  const file = 'roles.csv';
  if (!context.archive.names.includes(file)) return undefined;
  const roles = new Map<string, string>();
  for await (const line of tableOf(context, file, {
    required: ['userSourcedId', 'role'],
    maxRows: 4 * maxRosterRows,
  })) {
    if (isDeleted(line)) continue;
    const [id, role] = [line.get('userSourcedId'), roleIn(line)];
    if (roles.get(id) !== student) roles.set(id, role);
  }
  return roles;
}

/** Class names by user: of students, as of today. Undefined without the file. */
async function readEnrollments(context: Context, classes: ReadonlyMap<string, string>) {
  const { rows, archive, today } = context;
  const file = 'enrollments.csv';
  if (!archive.names.includes(file)) return undefined;
  const groups = new Map<string, Set<string>>();
  const required = ['classSourcedId', 'userSourcedId', 'role'];
  for await (const line of tableOf(context, file, { required, maxRows: maxEnrollments })) {
    if (isDeleted(line) || roleIn(line) !== student) continue;
    const [from, until] = [dateIn(line, 'beginDate'), dateIn(line, 'endDate')];
    if (from > today || (until !== '' && until < today)) continue;
    const [id, user] = [line.get('classSourcedId'), line.get('userSourcedId')];
    const name = classes.get(id);
    if (name === undefined) rows.fail(file, line.row, 'classSourcedId', 'roster_class_unknown', { found: excerpt(id) });
    else groups.set(user, (groups.get(user) ?? new Set<string>()).add(name));
  }
  return groups;
}

function nameOf({ get }: TableRow): string {
  const given = get('preferredGivenName') || get('preferredFirstName') || get('givenName');
  const family = get('preferredFamilyName') || get('preferredLastName') || get('familyName');
  return joinName(given, family);
}

async function readUsers(context: Context): Promise<void> {
  const { rows } = context;
  const file = 'users.csv';
  const roles = await readRoles(context);
  const classes = await readClasses(context);
  const groups = await readEnrollments(context, classes);
  const required = ['sourcedId', 'username'];
  for await (const line of tableOf(context, file, { required, maxRows: maxRosterRows })) {
    const { row, get } = line;
    const id = get('sourcedId');
    // With roles.csv, a user without a line in it has no role; without any roles, all are students.
    const role = roles === undefined ? roleIn(line) || student : roles.get(id);
    const isOther = isDeleted(line) || choiceIn(line, 'enabledUser', ['true', 'false']) === 'false' || role !== student;
    if (isOther) continue;
    if (id === '') rows.fail(file, row, 'sourcedId', 'required');
    const names = { username: get('username').replace(/@.*$/, ''), display_name: nameOf(line) };
    rows.add(
      file,
      row,
      { ...names, email: get('email'), external_id: id },
      groups === undefined ? null : [...(groups.get(id) ?? [])],
    );
  }
}

/** Reads the students of a OneRoster 1.1 or 1.2 archive of CSV files, with their classes on a date. Throws ValidationError for any other archive. */
export async function readOneRoster(path: string, today: string): Promise<RosterFile> {
  const archive = await openZip(path);
  try {
    if (!archive.names.includes('users.csv') || !archive.names.includes('manifest.csv')) {
      const found = excerpt(archive.names.join(', '), 200);
      throw ValidationError.of('file', 'roster_archive_unknown', { found });
    }
    const rows = createRosterRows('oneroster');
    const context = { archive, rows, folder: dirname(path), today };
    await checkManifest(context);
    await readUsers(context);
    return rows.found;
  } finally {
    archive.close();
  }
}
