import { z } from 'zod';
import { id, idText, text } from '../../../http/fields.ts';
import type { DayOffRow } from './days-off-repository.ts';
import { changedDates, dates, maxReason, refineDates } from './school-day-fields.ts';

/** Calendar days of a calendar year that a person may set for themselves. */
export const maxOwnDays = 60;
/** Entries of a person. */
export const maxDaysOff = 500;

const reason = text({ max: maxReason }).meta({
  description: 'Read by the person and by administrators.',
  example: 'Family visit',
});

export const dayOffBody = z
  .object({ ...dates, reason: reason.default('') })
  .superRefine(refineDates)
  .meta({ example: { from: '2026-12-14', to: '2026-12-25', reason: 'Family visit' } });
export type DayOffInput = z.output<typeof dayOffBody>;

export const updateDayOffBody = z
  .object({ ...changedDates, reason: reason.exactOptional() })
  .superRefine(refineDates)
  .meta({ example: { from: '2026-12-14', to: '2026-12-22' } });
export type DayOffChanges = z.output<typeof updateDayOffBody>;

export const dayOff = z
  .object({
    id: id.meta({ example: 9 }),
    from: z.iso.date().meta({ example: '2026-12-14' }),
    to: z.iso.date().meta({ example: '2026-12-25' }),
    reason,
    own: z.boolean().meta({ description: 'Whether the person has set it, not an administrator.', example: true }),
  })
  .meta({ id: 'DaysOff' });

const count = z.int().min(0);
export const daysOff = z
  .object({
    days_off: z.array(dayOff).meta({ description: 'The latest first.' }),
    years: z
      .array(
        z.object({
          year: z.int().meta({ example: 2026 }),
          taken: count.meta({ description: 'Days up to today.', example: 11 }),
          planned: count.meta({ description: 'Later days.', example: 12 }),
          left: count.meta({ description: `Of ${maxOwnDays}.`, example: 37 }),
        }),
      )
      .meta({
        description:
          'By calendar year, the current one always included: calendar days that the person has set for themselves and that are not off otherwise.',
      }),
  })
  .meta({ id: 'DaysOffList' });

export const studentParams = z.object({ id: idText.meta({ description: 'The id of the user.' }) });
const entryId = idText.meta({ description: 'The id of the days off.' });
export const ownEntryParams = z.object({ id: entryId });
export const entryParams = studentParams.extend({ days_off_id: entryId });

export const toDayOffResponse = ({
  id,
  user_id,
  first_day,
  last_day,
  reason,
  set_by,
}: DayOffRow): z.input<typeof dayOff> => ({
  id,
  from: first_day,
  to: last_day,
  reason,
  own: set_by === user_id,
});
