import { z } from 'zod';
import { flag, idText } from '../../../../http/fields.ts';
import type { Effect } from '../effect.ts';
import { effect, toEffectResponse } from '../effect-schemas.ts';
import { schoolDayKinds } from '../school-day-fields.ts';
import { type CalendarEvent, leftOutReasons, maxEvents } from './calendar-file.ts';

/** Numbers of events, such as `1,4,5`. */
const numbers = (description: string) =>
  z
    .string()
    .max(4 * maxEvents)
    .regex(/^(\d{1,3}(,\d{1,3})*)?$/, { error: 'invalid' })
    .default('')
    .transform((value) => (value === '' ? [] : value.split(',').map(Number)))
    .meta({
      override: { type: 'string', maxLength: 4 * maxEvents, pattern: '^(\\d{1,3}(,\\d{1,3})*)?$', default: '' },
      description,
      example: '1,4',
    });

export const calendarBody = z.object({
  dry_run: flag('true', 'Unless `false`, nothing is saved; the response says what would change.'),
  group_id: idText
    .optional()
    .meta({ description: 'The class for which the days apply; without it, the whole school.' }),
  off: numbers('The numbers of events that become days off.'),
  school_days: numbers('The numbers of events that become make-up days.'),
  ignored: numbers('The numbers of events that are not imported.'),
});
export type CalendarOptions = z.output<typeof calendarBody>;

const event = z.object({
  number: z.int().min(1).max(maxEvents).meta({ description: 'In the order of the file.', example: 3 }),
  name: z.string().meta({ description: 'Its summary, at most 50 characters of it.', example: 'National Day' }),
  from: z.iso.date().nullable().meta({ description: 'Null if it cannot be read.', example: '2026-10-01' }),
  to: z.iso.date().nullable().meta({ description: 'The last day.', example: '2026-10-07' }),
  kind: z.enum(schoolDayKinds).nullable().meta({ description: 'What it becomes; null if it is not imported.' }),
  left_out: z.enum(leftOutReasons).nullable().meta({
    description:
      'Why it is not imported by itself: `timed` events can be chosen; the entry `exists`; it `repeats`, is `cancelled`, has no name, no dates from 2000 to 2199, or more than 366 days, or cannot be read.',
  }),
});

export const importedCalendar = z
  .object({
    events: z.array(event).meta({ description: 'All events of the file.' }),
    added: z.int().min(0).meta({ description: 'Entries that are added, or would be.', example: 12 }),
    effect: effect
      .nullable()
      .meta({ description: 'With `dry_run`; null if there are too many students to compute it.' }),
  })
  .meta({ id: 'ImportedCalendar' });

export type ImportedCalendar = { events: CalendarEvent[]; added: number; effect: Effect | undefined };
const toEvent = ({ first_day, last_day, ...read }: CalendarEvent) => ({ ...read, from: first_day, to: last_day });
export const toCalendarResponse = ({
  events,
  added,
  effect: changes,
}: ImportedCalendar): z.input<typeof importedCalendar> => ({
  events: events.map(toEvent),
  added,
  effect: changes === undefined ? null : toEffectResponse(changes),
});
