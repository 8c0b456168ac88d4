import { createDays } from '../../lib/study-days.ts';
import type { Student } from './progress-queries.ts';

const day = 86_400_000;
/** As in the service, which counts them as 24 hours each. */
const silentDays = 7;

/** What an administrator should know about a student first. The order is that of urgency. */
export const standings = ['silent', 'overdue', 'behind', 'not_started', 'on_track', 'ahead', 'no_goal'] as const;
export type StandingName = (typeof standings)[number];
export type Standing = { name: StandingName; count: number };

type Calendar = Pick<Student, 'timezone' | 'day_start_hour'>;
type Fields = Calendar & Pick<Student, 'last_session' | 'running_timer' | 'goals'>;

/** The last moment of study: a record until midnight belongs to the day before. */
export const lastMoment = (last_session: string): number => Date.parse(last_session) - 1;

/** Days of the student's calendar, as the date of the latest study shows them. */
function daysSince(last_session: string, { timezone, day_start_hour }: Calendar): number {
  const { dateOf } = createDays(timezone, day_start_hour);
  return (Date.parse(dateOf(Date.now())) - Date.parse(dateOf(lastMoment(last_session)))) / day;
}

/** `count`: the days of silence, or the goals that are overdue or behind. */
export function standingOf({ last_session, running_timer, goals, ...calendar }: Fields): Standing {
  const isHere = running_timer !== null;
  if (last_session === null && !isHere) return { name: 'not_started', count: 0 };
  if (last_session !== null && !isHere && Date.now() - Date.parse(last_session) >= silentDays * day)
    return { name: 'silent', count: Math.max(silentDays, daysSince(last_session, calendar)) };
  if (goals.overdue > 0) return { name: 'overdue', count: goals.overdue };
  if (goals.behind > 0) return { name: 'behind', count: goals.behind };
  if (goals.total === 0) return { name: 'no_goal', count: 0 };
  return { name: goals.ahead === goals.total ? 'ahead' : 'on_track', count: 0 };
}

export const needsAttention = ({ name }: Standing): boolean => standings.indexOf(name) < standings.indexOf('on_track');
