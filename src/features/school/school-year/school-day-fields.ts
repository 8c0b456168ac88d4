import { z } from 'zod';
import { id, issue, text } from '../../../http/fields.ts';
import { day } from '../../../http/time-fields.ts';
import { ValidationError } from '../../../texts/errors.ts';
import { dayOfDate } from '../../study/calendar/study-figures.ts';

/** Of terms, entries and days off; also in the migration. */
export const maxDays = 366;
export const maxName = 50;
export const maxSchoolDays = 1_000;
export const maxTerms = 200;
export const maxReason = 100;

export const schoolDayKinds = ['off', 'school_day'] as const;
export type SchoolDayKind = (typeof schoolDayKinds)[number];

const override = { type: 'string', format: 'date', maxLength: 10 } as const;
export const dates = {
  from: day.meta({ id: 'FirstDay', override, description: 'The first day.', example: '2026-10-01' }),
  to: day.meta({
    id: 'LastDay',
    override,
    description: `The last day; at most ${maxDays} days in all.`,
    example: '2026-10-07',
  }),
};

export const changedDates = { from: dates.from.exactOptional(), to: dates.to.exactOptional() };

/** What is wrong with the length of a period. */
function lengthIssue(first: string, last: string) {
  const days = dayOfDate(last) - dayOfDate(first) + 1;
  if (days < 1) return issue('period_ends_early');
  return days > maxDays ? issue('period_too_long', { maximum: maxDays }) : undefined;
}

export function refineDates({ from, to }: { from?: string; to?: string }, context: z.RefinementCtx): void {
  if (from === undefined || to === undefined) return;
  const wrong = lengthIssue(from, to);
  if (wrong !== undefined) context.addIssue({ ...wrong, path: ['to'] });
}

/** What is stored with the given changes, of which one may be the first or the last day only. */
export function withChanges<Row extends { first_day: string; last_day: string }, Changes extends Partial<Row>>(
  row: Row,
  changes: Changes,
): Row {
  const changed = { ...row, ...changes };
  const wrong = lengthIssue(changed.first_day, changed.last_day);
  if (wrong !== undefined) throw ValidationError.of('to', wrong.message, wrong.params);
  return changed;
}

export const entryName = text({ min: 1, max: maxName }).meta({ example: 'National Day' });
export const termName = text({ min: 1, max: maxName }).meta({ example: 'Autumn term' });
export const groupId = id
  .nullable()
  .meta({ description: 'The class for which it applies; null for the whole school.', example: null });
export const kind = z.enum(schoolDayKinds).meta({
  description: '`off`: holidays. `school_day`: lessons, also on a rest day, such as a make-up day.',
  example: 'off',
});

type Identity = { name: string; first_day: string | null; last_day: string | null; group_id: number | null };
/** The same for entries of one class with the same name and days. */
export const keyOfEntry = ({ name, first_day, last_day, group_id }: Identity): string =>
  JSON.stringify([name, first_day, last_day, group_id]);
