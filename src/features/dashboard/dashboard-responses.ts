import type { z } from 'zod';
import { toSessionResponse } from '../study-sessions/session-responses.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import type { Dashboard } from './dashboard-read-model.ts';
import type { dashboard } from './dashboard-schemas.ts';

export function toDashboardResponse({ figures, daily_goal_minutes, timer }: Dashboard): z.input<typeof dashboard> {
  return {
    date: figures.date,
    today_hours: hoursOf(figures.today),
    daily_goal_minutes,
    week_hours: hoursOf(figures.week),
    current_streak: figures.streak,
    studied_today: figures.today > 0,
    running_timer: timer === undefined ? null : toSessionResponse(timer),
    continue: figures.continue.map(({ own_seconds, last_session, ...project }) => ({
      ...project,
      own_hours: hoursOf(own_seconds),
      own_last_session: new Date(last_session).toISOString(), // PostgreSQL writes timestamps in JSON with an offset
    })),
    goals_at_risk: figures.goals_at_risk.map(({ remaining, ...goal }) => ({
      ...goal,
      remaining_hours: hoursOf(remaining),
      required_hours_per_day: hoursOf(remaining / Math.max(1, goal.days_left)),
    })),
  };
}
