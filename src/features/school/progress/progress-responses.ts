import type { z } from 'zod';
import { csvList, type WriteExport } from '../../../lib/export/exporter.ts';
import { hoursOf } from '../../study/study-sessions/session-times.ts';
import type { progressEntry } from './progress-schemas.ts';
import type { Progress } from './progress-service.ts';

export function toProgressResponse(entry: Progress): z.input<typeof progressEntry> {
  const { user_id, username, display_name, status, timezone, day_start_hour, groups, projects_assigned } = entry;
  const {
    hours_7d,
    hours_28d,
    total_hours,
    project_hours,
    current_streak,
    weeks,
    days,
    days_studied,
    studied_then,
    excused_today,
    last_week_so_far,
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
    time_zone: timezone,
    day_start_hour,
    groups,
    projects_assigned,
    hours_7d,
    hours_28d,
    total_hours,
    project_hours,
    weeks: weeks.map(hoursOf),
    last_week_so_far: hoursOf(last_week_so_far),
    days: days.map(hoursOf),
    days_studied,
    last_week_studied_by_now: studied_then,
    excused_today,
    state: entry.state,
    current_streak,
    goals: {
      not_started: entry.goals_not_started,
      overdue: entry.goals_overdue,
      behind: entry.goals_behind,
      slowing: entry.goals_slowing,
      on_track: entry.goals_on_track,
      ahead: entry.goals_ahead,
      done: entry.goals_done,
      near: entry.goals_near,
      total: entry.goals_total,
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
  'state',
] as const satisfies readonly Exclude<keyof Progress, 'weeks' | 'days'>[];

function toCells(entry: Progress) {
  const cells = { ...entry, groups: entry.groups.map(({ name }) => name).join('; ') };
  return csvColumns.map((name) => cells[name]);
}

type Read = (take: (entries: readonly Progress[]) => Promise<void>) => Promise<void>;

export const exportProgress = (read: Read): WriteExport => csvList(read, csvColumns, toCells);
