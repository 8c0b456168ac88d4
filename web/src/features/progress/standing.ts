import type { components } from '../../../../client/src/index.ts';
import { createDays } from '../../lib/study-days.ts';

const day = 86_400_000;
/** As in the service, which counts them as 24 hours each. */
const silentDays = 7;

/** The class that a student is in: the first that applies. The order is that of urgency. */
export const standings = [
  'silent',
  'overdue',
  'behind',
  'slowing',
  'not_started',
  'on_track',
  'without_goals',
] as const;
export type StandingName = (typeof standings)[number];
/** Those who should be looked at. */
export const urgent = standings.slice(0, standings.indexOf('on_track'));
export type Standing = { name: StandingName; count: number };

type Student = components['schemas']['Progress'];
type Calendar = Pick<Student, 'timezone' | 'day_start_hour'>;
type Fields = Calendar & Pick<Student, 'last_session' | 'state' | 'goals'>;

/** The last moment of study: a record until midnight belongs to the day before. */
export const lastMoment = (last_session: string): number => Date.parse(last_session) - 1;

/** Days of the student's calendar, as the date of the latest study shows them. */
function daysSince(last_session: string, { timezone, day_start_hour }: Calendar): number {
  const { dateOf } = createDays(timezone, day_start_hour);
  return (Date.parse(dateOf(Date.now())) - Date.parse(dateOf(lastMoment(last_session)))) / day;
}

/** `count`: the days of silence, or the goals that are overdue or behind. */
export function standingOf(student: Fields): Standing {
  const { last_session, goals, state: name } = student;
  if (name === 'silent' && last_session !== null)
    return { name, count: Math.max(silentDays, daysSince(last_session, student)) };
  return { name, count: name === 'overdue' || name === 'behind' ? goals[name] : 0 };
}

/** Less for those who should be looked at first. */
export function urgencyOf(student: Fields): number {
  const { name, count } = standingOf(student);
  return standings.indexOf(name) * 10_000 - count;
}

export const needsAttention = ({ name }: Standing): boolean => urgent.includes(name);
