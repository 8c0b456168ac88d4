import { z } from 'zod';
import { id, idText } from '../../../http/fields.ts';
import { moment } from '../../../http/time-fields.ts';
import { daysOn, isoWeekday } from '../../study/calendar/day-kinds.ts';
import { dayOfDate } from '../../study/calendar/study-figures.ts';
import { changedDates, dates, entryName, groupId, kind, refineDates, termName } from './school-day-fields.ts';
import type { NewSchoolDay, SchoolDayRow } from './school-day-repository.ts';
import type { NewTerm, TermRow } from './term-repository.ts';

export const termBody = z.object({ name: termName, ...dates }).superRefine(refineDates);
export const updateTermBody = z
  .object({ name: termName.exactOptional(), ...changedDates })
  .superRefine(refineDates)
  .meta({ example: { from: '2026-09-01', to: '2027-01-29' } });

export const term = z
  .object({
    id: id.meta({ example: 1 }),
    name: termName,
    from: z.iso.date().meta({ example: '2026-09-01' }),
    to: z.iso.date().meta({ example: '2027-01-23' }),
    school_days: z.int().min(0).meta({
      description: 'School days of the whole school: those of `SCHOOL_WEEKDAYS` that are not off, and make-up days.',
      example: 97,
    }),
  })
  .meta({ id: 'Term' });

export const schoolDayBody = z
  .object({ name: entryName, ...dates, kind, group_id: groupId.default(null) })
  .superRefine(refineDates)
  .meta({ example: { name: 'National Day', from: '2026-10-01', to: '2026-10-07', kind: 'off', group_id: null } });
export const updateSchoolDayBody = z
  .object({
    name: entryName.exactOptional(),
    ...changedDates,
    kind: kind.exactOptional(),
    group_id: groupId.exactOptional(),
  })
  .superRefine(refineDates)
  .meta({ example: { to: '2026-10-08' } });

export const schoolDaysQuery = z.object({
  from: moment.optional().meta({ description: 'Entries that end on this day or later.' }),
  to: moment.optional().meta({
    description:
      'Entries that begin on this day, which is included, or earlier. A time is not included: the last day is that of the moment before.',
  }),
  group_id: idText.optional().meta({ description: 'Entries of the whole school and of this class only.' }),
});

export const schoolDay = z
  .object({
    id: id.meta({ example: 4 }),
    name: entryName,
    from: z.iso.date().meta({ example: '2026-10-01' }),
    to: z.iso.date().meta({ example: '2026-10-07' }),
    kind,
    group_id: groupId,
    school_days: z.int().min(0).meta({
      description: '`off`: how many of the days are of `SCHOOL_WEEKDAYS`. `school_day`: how many are not.',
      example: 5,
    }),
  })
  .meta({ id: 'SchoolDay' });

export const toNewTerm = ({ name, from, to }: z.output<typeof termBody>): NewTerm => ({
  name,
  first_day: from,
  last_day: to,
});
export const toNewSchoolDay = ({ kind, group_id, ...dated }: z.output<typeof schoolDayBody>): NewSchoolDay => ({
  ...toNewTerm(dated),
  kind,
  group_id,
});

type Dated<Other> = Other & { from?: string; to?: string };
/** The given fields, under the names of their columns. */
export const toChanges = <Other extends object>({ from, to, ...others }: Dated<Other>) => ({
  ...others,
  ...(from === undefined ? {} : { first_day: from }),
  ...(to === undefined ? {} : { last_day: to }),
});

export const toTermResponse = ({ id, name, first_day, last_day, school_days }: TermRow): z.input<typeof term> => ({
  id,
  name,
  from: first_day,
  to: last_day,
  school_days,
});

/** Of days off, those of the weekdays of lessons are counted; of make-up days, the others. */
export function toSchoolDayResponse(row: SchoolDayRow, weekdays: readonly number[]): z.input<typeof schoolDay> {
  const { id, name, first_day, last_day, kind, group_id } = row;
  const [first, last] = [dayOfDate(first_day), dayOfDate(last_day)];
  const days = Array.from({ length: daysOn([], first, last) }, (_, index) => isoWeekday(first + index));
  const isChanged = (weekday: number) => weekdays.includes(weekday) === (kind === 'off');
  return { id, name, from: first_day, to: last_day, kind, group_id, school_days: days.filter(isChanged).length };
}
