import type { Student } from './progress-queries.ts';

const day = 86_400_000;
/** As in the service. */
const silentDays = 7;

/** What an administrator should know about a student first. The order is that of urgency. */
export const standings = ['silent', 'overdue', 'behind', 'not_started', 'on_track', 'ahead', 'no_goal'] as const;
export type StandingName = (typeof standings)[number];
export type Standing = { name: StandingName; count: number };

type Fields = Pick<Student, 'last_session' | 'running_timer' | 'goals'>;

/** `count`: the days of silence, or the goals that are overdue or behind. */
export function standingOf({ last_session, running_timer, goals }: Fields): Standing {
  const silent = last_session === null ? 0 : Math.floor((Date.now() - Date.parse(last_session)) / day);
  const isHere = running_timer !== null;
  if (last_session === null && !isHere) return { name: 'not_started', count: 0 };
  if (silent >= silentDays && !isHere) return { name: 'silent', count: silent };
  if (goals.overdue > 0) return { name: 'overdue', count: goals.overdue };
  if (goals.behind > 0) return { name: 'behind', count: goals.behind };
  if (goals.total === 0) return { name: 'no_goal', count: 0 };
  return { name: goals.ahead === goals.total ? 'ahead' : 'on_track', count: 0 };
}

export const needsAttention = ({ name }: Standing): boolean => standings.indexOf(name) < standings.indexOf('on_track');
