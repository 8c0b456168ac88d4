import { z } from 'zod';
import type { Between } from '../../../db/periods.ts';
import {
  id,
  idText,
  instant,
  itemEtag,
  moment,
  pageQuery,
  pagination,
  queryFlag,
  text,
  timestamp,
} from '../../../http/fields.ts';
import { itemTag } from '../../../http/reply.ts';
import type { Clock } from '../../../lib/clock.ts';
import { sessionTags, tagName } from '../tags/tag-fields.ts';
import type { SessionRow } from './session-sql.ts';
import { hoursOf, maxSessionSeconds, plusSeconds, secondsBetween, timeErrors } from './session-times.ts';

export const sessionSources = ['timer', 'manual'] as const;

export const session = z
  .object({
    id: z.int().meta({ example: 310 }),
    project_id: z.int().meta({ example: 42 }),
    project_name: z.string().meta({ example: 'Linear algebra' }),
    user_id: z.int().meta({ example: 7 }),
    username: z.string().meta({ description: 'The author.', example: 'lin' }),
    started_at: timestamp,
    ended_at: timestamp
      .nullable()
      .meta({ description: 'Null while the timer runs.', example: '2026-02-01T09:30:00.000Z' }),
    duration_seconds: z.int().meta({ description: 'For a running timer, up to now.', example: 5400 }),
    hours: z.number().meta({ example: 1.5 }),
    note: z.string().meta({ example: 'Chapter 3' }),
    tags: z
      .array(z.string())
      .meta({ description: 'Of the author; seen by all who see the note.', example: ['mock exam'] }),
    source: z.enum(sessionSources),
    time_zone: z
      .string()
      .meta({ description: 'The time zone of the author when it was created.', example: 'Asia/Shanghai' }),
    auto_stopped: z.boolean().meta({ description: 'Whether the service stopped a timer that was left running.' }),
    planned_minutes: z
      .int()
      .nullable()
      .meta({ description: 'How long the timer is meant to run; null: open. Reaching it ends nothing.', example: 50 }),
    created_at: timestamp,
    updated_at: timestamp,
    etag: itemEtag,
  })
  .meta({ id: 'Session' });

export const sessionPage = z.object({ sessions: z.array(session), pagination });

export const sessionNote = text({ max: 500, multiline: true }).meta({ example: 'Chapter 3' });

export const plannedMinutes = z.int().min(1).max(1440).nullable();

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
    .transform(({ started_at, ended_at: end, duration_seconds: seconds, note, tags }, context) => {
      const reject = (field: string, key: string) => {
        context.addIssue({ code: 'custom', message: key, path: [field] });
        return z.NEVER;
      };
      const ended_at = end ?? (seconds === undefined ? undefined : plusSeconds(started_at, seconds));
      if (ended_at === undefined) return reject('ended_at', 'session_end_required');
      const times = { started_at, ended_at };
      if (seconds !== undefined && secondsBetween(times) !== seconds)
        return reject('duration_seconds', 'session_contradiction');
      for (const { field, message } of timeErrors(times, clock()))
        reject(field === 'ended_at' && end === undefined ? 'duration_seconds' : field, message.key);
      return { ...times, note, tags };
    })
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

export type SessionResponse = z.input<typeof session>;

export function toSessionResponse(row: SessionRow): SessionResponse {
  return {
    id: row.id,
    project_id: row.project_id,
    project_name: row.project_name,
    user_id: row.user_id,
    username: row.username,
    started_at: row.started_at,
    ended_at: row.ended_at,
    duration_seconds: row.duration_seconds,
    hours: hoursOf(row.duration_seconds),
    note: row.note,
    tags: row.tags,
    source: row.source,
    time_zone: row.time_zone,
    auto_stopped: row.auto_stopped,
    planned_minutes: row.planned_minutes,
    created_at: row.created_at,
    updated_at: row.updated_at,
    etag: itemTag(row.row_version),
  };
}
