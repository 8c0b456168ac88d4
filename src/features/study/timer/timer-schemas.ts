import { z } from 'zod';
import { id } from '../../../http/fields.ts';
import { instant } from '../../../http/time-fields.ts';
import type { Clock } from '../../../lib/clock.ts';
import { session } from '../study-sessions/session-responses.ts';
import { plannedMinutes, sessionNote } from '../study-sessions/session-schemas.ts';
import { isTooLate, timerStartProblem } from '../study-sessions/session-times.ts';
import { sessionTags } from '../tags/tag-fields.ts';

const runningExample = {
  etag: '"1764921600000"',
  id: 310,
  project_id: 42,
  project_name: 'Linear algebra',
  user_id: 7,
  username: 'lin',
  started_at: '2026-02-01T08:00:00.000Z',
  ended_at: null,
  duration_seconds: 1260,
  hours: 0.35,
  note: 'Chapter 3',
  tags: ['mock exam'],
  source: 'timer',
  time_zone: 'Asia/Shanghai',
  auto_stopped: false,
  planned_minutes: 50,
  created_at: '2026-02-01T08:00:00.000Z',
  updated_at: '2026-02-01T08:00:00.000Z',
} as const;
export const runningTimer = session
  .nullable()
  .meta({ id: 'RunningTimer', description: 'Null if no timer is running.', example: runningExample });

export function startTimerBody(clock: Clock) {
  const startedAt = instant.superRefine((value, context) => {
    const message = timerStartProblem(value, clock());
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
  return z
    .object({
      project_id: id,
      note: sessionNote.default(''),
      tags: sessionTags.default([]),
      started_at: startedAt.optional().meta({ description: 'Defaults to now; at most 24 hours ago.' }),
      planned_minutes: plannedMinutes.default(null).meta({ description: 'How long it is meant to run; null: open.' }),
    })
    .meta({ example: { project_id: 42, note: 'Chapter 3' } });
}
export type TimerStart = z.output<ReturnType<typeof startTimerBody>>;

export function stopTimerBody(clock: Clock) {
  return z
    .object({
      session_id: id.optional().meta({ description: 'Defaults to the running timer.', example: 310 }),
      ended_at: instant
        .refine((value) => !isTooLate(value, clock()), { error: 'session_in_future' })
        .optional()
        .meta({ description: 'Defaults to now.' }),
    })
    .meta({ example: { session_id: 310 } });
}
export type TimerStop = z.output<ReturnType<typeof stopTimerBody>>;

export const startedTimer = session
  .extend({ stopped: session.nullable().meta({ description: 'The timer that was running on another project.' }) })
  .meta({ id: 'StartedTimer', example: { ...runningExample, duration_seconds: 0, hours: 0, stopped: null } });
