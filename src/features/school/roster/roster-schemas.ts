import { z } from 'zod';
import { flag, pageQuery, queryInt } from '../../../http/fields.ts';

export const rosterStates = ['receiving', 'checking', 'writing', 'done', 'failed', 'stopped'] as const;
export const rosterFormats = ['csv', 'oneroster'] as const;
export const rosterMissing = ['keep', 'deactivate'] as const;
const changeKinds = ['new', 'changed', 'moved', 'missing', 'left_out', 'problem'] as const;

export const importRosterBody = z.object({
  dry_run: flag('true', 'Unless `false`, only the difference is computed.'),
  missing: z.enum(rosterMissing).default('keep').meta({
    description:
      'What to do with active accounts that an earlier roster has named and this one does not: `keep` or `deactivate` them. Accounts that no roster has named, and administrators, are never deactivated.',
  }),
  deactivate_at_most: queryInt({ min: 0, max: 1_000_000 }).exactOptional().meta({
    description:
      'How many missing accounts may be deactivated, such as the number of the difference. If more are missing, nothing is changed. By default a fifth of the rows of the file, or ten: an incomplete file does not deactivate a school.',
    example: 12,
  }),
  invite: flag(
    'false',
    'Mail a link for choosing a password to each new account, valid for 72 hours. Otherwise new accounts sign in through the identity provider, or with a link that they or an administrator request.',
  ),
});
export type ImportRosterInput = z.output<typeof importRosterBody>;

export const listRosterChangesQuery = z.object({
  ...pageQuery,
  kind: z.enum(changeKinds).optional().meta({ description: 'Only changes of this kind.' }),
});
export type ListRosterChanges = z.output<typeof listRosterChangesQuery>;
