import { fromWallTime, toWallTime } from './wall-time.ts';

/** A stretch of study. A running timer ends now. */
export type Stretch = { project_id: number; project_name: string; from: number; to: number };
export type Part = { id: number; name: string; seconds: number };

const dayMilliseconds = 86_400_000;

/** The days of a person: they begin at an hour of the local clock. */
export function createDays(timeZone: string, startHour: number) {
  /** The date of the day that a moment belongs to. */
  const dateOf = (moment: number) => toWallTime(moment - startHour * 3_600_000, timeZone).slice(0, 10);
  const startOf = (date: string) =>
    Date.parse(fromWallTime(`${date}T${String(startHour).padStart(2, '0')}:00`, timeZone) ?? date);
  const plus = (date: string, days: number) =>
    new Date(Date.parse(date) + days * dayMilliseconds).toISOString().slice(0, 10);
  return {
    dateOf,
    startOf,
    plus,
    /** The seven days of the week that contains the date; `first` is 0 for Sunday. */
    weekOf(date: string, first: number): string[] {
      const since = (new Date(date).getUTCDay() - first + 7) % 7;
      return Array.from({ length: 7 }, (_, day) => plus(date, day - since));
    },
  };
}

/** The stretches within a period, cut at its ends. */
export const within = (stretches: readonly Stretch[], from: number, to: number): Stretch[] =>
  stretches
    .map((stretch) => ({ ...stretch, from: Math.max(stretch.from, from), to: Math.min(stretch.to, to) }))
    .filter((stretch) => stretch.to > stretch.from);

/** The time of each project, most first. */
export function byProject(stretches: readonly Stretch[]): Part[] {
  const parts = new Map<number, Part>();
  for (const { project_id: id, project_name: name, from, to } of stretches)
    parts.set(id, { id, name, seconds: (parts.get(id)?.seconds ?? 0) + (to - from) / 1000 });
  return [...parts.values()].sort((a, b) => b.seconds - a.seconds || a.id - b.id);
}

export const secondsOf = (parts: readonly Part[]): number => parts.reduce((sum, { seconds }) => sum + seconds, 0);
