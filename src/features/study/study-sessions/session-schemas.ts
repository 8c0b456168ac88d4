import { z } from 'zod';
import type { Between } from '../../../db/periods.ts';
import { id, idText, pageQuery, queryFlag, text, unlessInvalid } from '../../../http/fields.ts';
import { instant, moment } from '../../../http/time-fields.ts';
import type { Clock } from '../../../lib/clock.ts';
import { sessionTags, tagName } from '../tags/tag-fields.ts';
import { maxSessionSeconds, plusSeconds, secondsBetween, type Times, timeErrors } from './session-times.ts';

/** Records with a word, of all users, are counted up to this number: reading all with a frequent word would take long. */
export const maxCounted = 10_000;

export const sessionSources = ['timer', 'manual'] as const;

export const sessionNote = text({ max: 500, multiline: true }).meta({ example: 'Chapter 3' });

export const plannedMinutes = z.int().min(1).max(1440).nullable();

type GivenTimes = { started_at: Date; ended_at?: Date | undefined; duration_seconds?: number | undefined };

function timesOf({ started_at, ended_at: end, duration_seconds: seconds }: GivenTimes): Times | undefined {
  const ended_at = end ?? (seconds === undefined ? undefined : plusSeconds(started_at, seconds));
  return ended_at && { started_at, ended_at };
}

export function createSessionBody(clock: Clock) {
  return z
    .object({
      started_at: instant,
      ended_at: instant.optional(),
      duration_seconds: z
        .int()
        .min(1)
        .max(maxSessionSeconds)
        .optional()
        .meta({ description: 'Instead of `ended_at`.', example: 5400 }),
      note: sessionNote.default(''),
      tags: sessionTags.default([]),
    })
    .refine(({ ended_at, duration_seconds }) => ended_at !== undefined || duration_seconds !== undefined, {
      path: ['ended_at'],
      error: 'session_end_required',
      ...unlessInvalid('ended_at', 'duration_seconds'),
    })
    .superRefine(
      (given, context) => {
        const times = timesOf(given);
        if (times === undefined) return;
        const reject = (field: string, key: string) =>
          context.addIssue({ code: 'custom', message: key, path: [field] });
        const { duration_seconds: seconds } = given;
        if (seconds !== undefined && secondsBetween(times) !== seconds)
          return reject('duration_seconds', 'session_contradiction');
        for (const { field, message } of timeErrors(times, clock(), given)) reject(field, message.key);
      },
      unlessInvalid('started_at', 'ended_at', 'duration_seconds'),
    )
    .transform((given) => ({ ...(timesOf(given) ?? z.NEVER), note: given.note, tags: given.tags }))
    .meta({ example: { started_at: '2026-02-01T08:00:00Z', duration_seconds: 5400, note: 'Chapter 3' } });
}
export type NewSession = z.output<ReturnType<typeof createSessionBody>>;

export const updateSessionBody = z
  .object({
    project_id: id.optional().meta({ description: 'Another project that the author of the record can see.' }),
    started_at: instant.optional(),
    ended_at: instant
      .nullable()
      .optional()
      .meta({ description: 'Null only for a running timer, where it changes nothing.' }),
    duration_seconds: z.int().min(0).max(maxSessionSeconds).optional(),
    note: sessionNote.optional(),
    tags: sessionTags.optional(),
    planned_minutes: plannedMinutes.optional().meta({ description: 'Of a running timer; null: open.', example: 50 }),
  })
  .meta({ example: { ended_at: '2026-02-01T09:45:00Z', note: 'Chapters 3 and 4' } });
export type SessionChange = z.output<typeof updateSessionBody>;

const filters = {
  from: moment.optional().meta({ description: 'Records that started on this day, or at this time, or later.' }),
  to: moment.optional().meta({
    description:
      'Records that started before the end of this day, which is included, or before this time, which is not. Days are those of the caller.',
  }),
  user_id: idText.optional().meta({ description: 'Records of this user.' }),
  username: text({ max: 32 })
    .default('')
    .meta({ description: 'Records of the user with this name, ignoring case.', example: 'lin' }),
  search: text({ max: 100 })
    .default('')
    .meta({ description: 'Part of the note, ignoring case; `%` and `_` are not wildcards.' }),
  tag: tagName
    .or(z.literal(''))
    .default('')
    .meta({ description: 'Records with this tag, ignoring case, accents and width; `none`: those without tags.' }),
  order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'The order by start.' }),
};

const ofProject = idText.optional().meta({ description: 'Records on this project.' });

const running = queryFlag
  .optional()
  .meta({ description: '`true`: only running timers; `false`: only finished records.' });

export const listProjectSessionsQuery = z.object({ ...pageQuery, ...filters, running });
export const listSessionsQuery = listProjectSessionsQuery.extend({ project_id: ofProject });
export const exportSessionsQuery = z.object({
  ...filters,
  project_id: ofProject,
  format: z.enum(['csv', 'json']).default('csv').meta({ description: 'The format of the file.' }),
  layout: z.enum(['fields', 'spreadsheet']).default('fields').meta({
    description:
      "The columns of a CSV file: the fields of a record, or, for people, date, start, end, hours, project, note and user, in the caller's language and time zone.",
  }),
  separator: z.enum(['comma', 'semicolon', 'tab']).default('comma').meta({
    description: 'The separator of `layout=spreadsheet`; with `semicolon`, hours have a decimal comma.',
  }),
});

export type SessionFilter = Between<
  Pick<
    z.output<typeof listSessionsQuery>,
    'from' | 'to' | 'user_id' | 'username' | 'project_id' | 'search' | 'tag' | 'order'
  >
> & { running?: boolean | undefined };
export type SessionPageQuery = SessionFilter & { page: number; limit: number };
