import type { z } from 'zod';
import { dateOf, studyFigures } from '../statistics/study-figures.ts';
import { toSessionResponse } from '../study-sessions/session-schemas.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import type { Dashboard } from './dashboard-read-model.ts';
import type { dashboard } from './dashboard-schemas.ts';

export function toDashboardResponse(
  { figures, daily_goal_minutes, timer }: Dashboard,
  zone: string,
): z.input<typeof dashboard> {
  const { current_streak, seconds_today, seconds_this_week } = studyFigures(figures, zone);
  return {
    date: dateOf(figures.today),
    today_hours: hoursOf(seconds_today),
    daily_goal_minutes,
    week_hours: hoursOf(seconds_this_week),
    current_streak,
    studied_today: seconds_today > 0,
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
