import { z } from 'zod';
import { errorCode, id, pagination } from '../../../http/fields.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { type Locale, translate } from '../../../texts/index.ts';
import type { ShownRow } from './roster-difference-read-model.ts';
import { rosterKinds } from './roster-plan.ts';
import type { Roster } from './roster-repository.ts';
import { rosterFormats, rosterMissing, rosterStates } from './roster-schemas.ts';

const count = (description: string, example: number) => z.int().meta({ description, example });

export const roster = z
  .object({
    id: id.meta({ example: 5 }),
    requested_by: z.object({ user_id: id, username: z.string().meta({ example: 'head' }) }),
    dry_run: z.boolean(),
    missing: z.enum(rosterMissing),
    invite: z.boolean(),
    format: z.enum(rosterFormats).meta({ example: 'csv' }),
    columns: z
      .array(
        z.object({ field: z.string().meta({ example: 'group' }), column: z.string().meta({ example: 'cohort1' }) }),
      )
      .meta({ description: 'Which columns of a CSV file are read, and as what.' }),
    unread_columns: z.array(z.string()).meta({
      description:
        'The headers of the columns of a CSV file that are not read, and the letters, such as `(C)`, of columns with values but no header.',
      example: ['city'],
    }),
    state: z.enum(rosterStates).meta({
      description:
        '`failed`: nothing was changed; `stopped`: the remaining rows were not applied, because the administrator lost the right to it, five attempts failed, or it took more than a day. The last three states are final.',
      example: 'done',
    }),
    rows: count('Rows of the file that could be read.', 812),
    processed: count('Of these and the missing accounts, those that were applied or need nothing.', 812),
    problems: count('Rows that could not be applied, because somebody else changed something meanwhile.', 0),
    counts: z
      .object({
        new: count('Accounts to create.', 120),
        changed: count('Accounts with another name, address, external id or state.', 14),
        moved: count('Accounts that join or leave groups.', 690),
        missing: count('Active accounts of earlier rosters that the file does not name.', 97),
        unchanged: count('Accounts that are as in the file.', 2),
        left_out: count('Administrators, whom a roster never changes.', 1),
        without_groups: count(
          'Accounts whose cell of groups is empty, as below a merged cell. Not in rosters of earlier releases.',
          3,
        ).exactOptional(),
        new_groups: z.array(z.string()).meta({ description: 'The first 100.', example: ['Class 3b'] }),
      })
      .nullable()
      .meta({ description: 'The difference; null until the file has been compared with the accounts.' }),
    errors_count: count('What is wrong with the file; then nothing is changed.', 0),
    errors: z
      .array(
        z.object({
          file: z.string().meta({ description: 'The file of the archive; empty for a single file.', example: '' }),
          row: z.int().meta({ description: 'As in a spreadsheet; the header is row 1.', example: 7 }),
          field: z.string().meta({ example: 'email' }),
          message: z.string().meta({ example: 'must be an e-mail address' }),
        }),
      )
      .meta({ description: 'The first 100.' }),
    error: z
      .object({
        code: errorCode,
        message: z.string().meta({ example: 'The administrator no longer has the rights.' }),
      })
      .nullable()
      .meta({ description: 'Why it was stopped.' }),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'Roster' });

export const rosterList = z.object({ rosters: z.array(roster) });

const change = z.object({
  row: z.int().nullable().meta({ description: 'Null for missing accounts.', example: 7 }),
  kind: z.enum(rosterKinds).meta({ example: 'existing' }),
  user_id: id.nullable().meta({ description: 'Null until a new account exists.', example: 7 }),
  username: z.string().meta({ example: 'lin' }),
  display_name: z.string().meta({ example: 'Lin Wei' }),
  changes: z.array(
    z.object({
      field: z.string().meta({ example: 'email' }),
      before: z.string().nullable().meta({ example: 'lin@example.org' }),
      after: z.string().nullable().meta({ example: 'lin.wei@example.org' }),
    }),
  ),
  joins: z.array(z.string()).meta({ description: 'Groups.', example: ['Class 4b'] }),
  leaves: z.array(z.string()).meta({ example: ['Class 3b'] }),
  problem: z.string().nullable().meta({ description: 'Why it could not be applied.', example: null }),
});

export const rosterWithChanges = z.object({ roster, changes: z.array(change), pagination });

export function toRosterResponse({ errors, columns, ...row }: Roster, locale: Locale): z.input<typeof roster> {
  const { id, dry_run, missing, invite, format, state, rows, processed, problems, counts, errors_count } = row;
  return {
    id,
    dry_run,
    missing,
    invite,
    format,
    state,
    rows,
    processed,
    problems,
    counts,
    errors_count,
    columns: columns.read,
    unread_columns: columns.unread,
    requested_by: { user_id: row.user_id, username: row.username },
    errors: errors.map(({ message, ...error }) => ({ ...error, message: translate(message, locale) })),
    error: row.failure && { code: row.failure.code, message: translate(row.failure.text, locale) },
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}

export function toRosterChangeResponse(row: ShownRow, locale: Locale): z.input<typeof change> {
  const { kind, user_id, username, display_name, changes, joins, leaves, problem } = row;
  return {
    kind,
    user_id,
    username: username ?? '',
    display_name: display_name ?? '',
    changes,
    joins,
    leaves,
    row: kind === 'missing' ? null : row.row,
    problem: problem && translate(problem.message, locale),
  };
}
