import type { z } from 'zod';
import { csvList, type WriteExport } from '../../lib/export/exporter.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import type { progressEntry } from './progress-schemas.ts';
import type { Progress } from './progress-service.ts';

export function toProgressResponse(entry: Progress): z.input<typeof progressEntry> {
  const { user_id, username, display_name, status, timezone, day_start_hour, groups, projects_assigned } = entry;
  const {
    hours_7d,
    hours_28d,
    total_hours,
    current_streak,
    weeks,
    days,
    last_week_so_far,
    goals_behind,
    goals_near,
    goals_overdue,
    goals_ahead,
    goals_total,
    last_session,
    timer_project_id,
    timer_project_name,
    timer_started_at,
  } = entry;
  const isRunning = timer_project_id !== null && timer_project_name !== null && timer_started_at !== null;
  return {
    user_id,
    username,
    display_name,
    status,
    timezone,
    day_start_hour,
    groups,
    projects_assigned,
    hours_7d,
    hours_28d,
    total_hours,
    weeks: weeks.map(hoursOf),
    last_week_so_far: hoursOf(last_week_so_far),
    days: days.map(hoursOf),
    current_streak,
    goals: {
      ...{ behind: goals_behind, overdue: goals_overdue, ahead: goals_ahead, near: goals_near, total: goals_total },
    },
    last_session,
    running_timer: isRunning
      ? { project_id: timer_project_id, project_name: timer_project_name, started_at: timer_started_at }
      : null,
  };
}

const csvColumns = [
  'user_id',
  'username',
  'display_name',
  'status',
  'groups',
  'projects_assigned',
  'hours_7d',
  'hours_28d',
  'total_hours',
  'current_streak',
  'goals_behind',
  'goals_near',
  'last_session',
  'timer_project_name',
  'timer_started_at',
] as const satisfies readonly Exclude<keyof Progress, 'weeks' | 'days'>[];

function toCells(entry: Progress) {
  const cells = { ...entry, groups: entry.groups.map(({ name }) => name).join('; ') };
  return csvColumns.map((name) => cells[name]);
}

type Read = (take: (entries: readonly Progress[]) => Promise<void>) => Promise<void>;

export const exportProgress = (read: Read): WriteExport => csvList(read, csvColumns, toCells);
