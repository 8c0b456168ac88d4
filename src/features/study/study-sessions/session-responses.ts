import { z } from 'zod';
import { id, itemEtag, pagination } from '../../../http/fields.ts';
import { itemTag } from '../../../http/reply.ts';
import { timestamp } from '../../../http/time-fields.ts';
import { maxCounted, sessionSources } from './session-schemas.ts';
import type { SessionRow } from './session-sql.ts';
import { hoursOf } from './session-times.ts';

export const session = z
  .object({
    id: id.meta({ example: 310 }),
    project_id: id,
    project_name: z.string().meta({ example: 'Linear algebra' }),
    user_id: id.meta({ example: 7 }),
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

export const sessionPage = z.object({
  sessions: z.array(session),
  pagination,
  total_is_minimum: z
    .literal(true)
    .optional()
    .meta({
      description: `Only if more records match than \`total\`, which counts up to ${maxCounted} if all records are searched for a word. \`from\` and \`to\` show the others.`,
    }),
});

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
