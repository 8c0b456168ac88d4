import type { MessageKey } from '../../../../texts/index.ts';
import { excerpt } from '../../../study/session-import/file/layout.ts';
import { readWhen } from '../../../study/session-import/file/written-times.ts';

/** The cells of a line by the names of the columns, which OneRoster fixes. */
export type TableRow = {
  row: number;
  get: (name: string) => string;
  fail: (name: string, key: MessageKey, params: Record<string, string>) => void;
};

/** A value of a fixed list in lower case, or an empty one; any other is an error. */
export function choiceIn({ get, fail }: TableRow, name: string, accepted: readonly string[]): string {
  const value = get(name).toLowerCase();
  if (value !== '' && !accepted.includes(value))
    fail(name, 'roster_choice', { found: excerpt(get(name)), accepted: accepted.join(', ') });
  return value;
}

export const student = 'student';
/** Of OneRoster 1.1 and 1.2. */
const otherRoles = [
  'teacher',
  'aide',
  'administrator',
  'guardian',
  'parent',
  'relative',
  'proctor',
  'counselor',
  'principal',
  'districtadministrator',
  'siteadministrator',
  'systemadministrator',
];

/** A role in lower case, or an empty one. Extensions such as `ext:coach` are roles, too; any other is an error, since it may mean students. */
export function roleIn(line: TableRow): string {
  const role = line.get('role').toLowerCase();
  return role.startsWith('ext:') ? role : choiceIn(line, 'role', [student, ...otherRoles]);
}

/** What is `inactive`, as in OneRoster 1.0, is deleted, too. */
export const isDeleted = (line: TableRow): boolean =>
  ['tobedeleted', 'inactive'].includes(choiceIn(line, 'status', ['active', 'tobedeleted', 'inactive']));

/** A date such as 2026-09-01, however it is written, or an empty text; one that may be two dates is an error. */
export function dateIn({ get, fail }: TableRow, name: string): string {
  const text = get(name);
  if (text === '') return '';
  const { day, order } = readWhen(text, 'day', { order: 'year_first' }) ?? {};
  if (day !== undefined && order === undefined) return new Date(day).toISOString().slice(0, 10);
  fail(name, 'roster_date', { found: excerpt(text) });
  return '';
}
