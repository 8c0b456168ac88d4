import type { z } from 'zod';
import { email, text } from '../../../../http/fields.ts';
import type { FieldError } from '../../../../texts/errors.ts';
import type { MessageKey } from '../../../../texts/index.ts';
import { groupName } from '../../../accounts/groups/group-schemas.ts';
import { accountFields, displayName } from '../../../accounts/users/user-schemas.ts';
import { excerpt, spreadsheetError } from '../../../study/session-import/file/layout.ts';
import type { rosterFormats } from '../roster-schemas.ts';
import type { RosterColumns } from './roster-columns.ts';

/** A row of a roster. Null: the file does not say. */
export type RosterRow = {
  row: number;
  username: string | null;
  email: string | null;
  display_name: string | null;
  external_id: string | null;
  group_names: string[] | null;
};

/** `file`: the one in an archive; empty for a single file. */
export type RosterError = FieldError & { file: string; row: number };

export type RosterFile = {
  format: (typeof rosterFormats)[number];
  /** Of a CSV file; the columns of archives are standardised. */
  columns: RosterColumns;
  rows: RosterRow[];
  errors: RosterError[];
  errors_count: number;
};

/** The first ones are reported, all are counted. */
export const maxErrors = 100;
const maxGroups = 50;
const schemas = {
  username: accountFields.username,
  email,
  display_name: displayName,
  external_id: text({ min: 1, max: 255 }),
  group: groupName,
} as const satisfies Record<string, z.ZodType<string>>;
export type RosterField = keyof typeof schemas;

/** What spreadsheets write in place of a value. */
const lostValues: readonly (readonly [RegExp, MessageKey])[] = [
  [/^\d(?:[.,]\d+)?E\+\d+$/i, 'roster_shortened_number'],
  [spreadsheetError, 'import_spreadsheet_error'],
];

/** Collects the rows of a file, and what is wrong: one error for each row and field, the first ones with their text. */
export function createRosterRows(format: RosterFile['format']) {
  const found: RosterFile = { format, columns: { read: [], unread: [] }, rows: [], errors: [], errors_count: 0 };
  const seen = {
    external_id: new Map<string, number>(),
    email: new Map<string, number>(),
    username: new Map<string, number>(),
  };

  function fail(
    file: string,
    row: number,
    field: string,
    key: MessageKey,
    params: Record<string, string | number> = {},
  ) {
    found.errors_count += 1;
    if (found.errors.length < maxErrors) found.errors.push({ file, row, field, message: { key, params } });
  }

  /** Null for an empty text, undefined for one that is not accepted. */
  function parse(file: string, row: number, field: RosterField, given: string): string | null | undefined {
    const trimmed = given.trim();
    if (trimmed === '') return null;
    const parsed = schemas[field].safeParse(trimmed);
    const lost = lostValues.find(([pattern]) => pattern.test(trimmed));
    if (parsed.success && lost === undefined) return parsed.data;
    fail(file, row, field, lost?.[1] ?? `roster_${field}`, { found: excerpt(trimmed) });
    return undefined;
  }

  function parseGroups(file: string, row: number, given: readonly string[]): string[] | undefined {
    const names = new Map<string, string>();
    for (const one of given) {
      const name = parse(file, row, 'group', one);
      if (name === undefined) return undefined;
      if (name !== null && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
    }
    if (names.size <= maxGroups) return [...names.values()];
    fail(file, row, 'group', 'roster_many_groups', { found: names.size, maximum: maxGroups });
    return undefined;
  }

  /** Whether an earlier row has the same account. */
  function isRepeated(file: string, { row, ...values }: RosterRow): boolean {
    for (const field of ['external_id', 'email', 'username'] as const) {
      const value = values[field];
      if (value === null) continue;
      const key = field === 'external_id' ? value : value.toLowerCase();
      const other = seen[field].get(key);
      if (other === undefined) seen[field].set(key, row);
      else {
        fail(file, row, field, 'roster_repeated', { found: excerpt(value), row: other });
        return true;
      }
    }
    return false;
  }

  return {
    found,
    fail,
    parse,

    /** Adds a row unless something is wrong with it. */
    add(
      file: string,
      row: number,
      given: Record<Exclude<RosterField, 'group'>, string>,
      groups: readonly string[] | null,
    ) {
      const errorsBefore = found.errors_count;
      const value = (field: Exclude<RosterField, 'group'>) => parse(file, row, field, given[field]) ?? null;
      const fields = { username: value('username'), email: value('email'), display_name: value('display_name') };
      const external_id = value('external_id');
      const group_names = groups === null ? null : (parseGroups(file, row, groups) ?? null);
      if (found.errors_count > errorsBefore) return;
      const parsed: RosterRow = { row, ...fields, external_id, group_names };
      if (external_id === null && fields.email === null && fields.username === null)
        fail(file, row, 'username', 'roster_nobody');
      else if (!isRepeated(file, parsed)) found.rows.push(parsed);
    },
  };
}

export type RosterRows = ReturnType<typeof createRosterRows>;
