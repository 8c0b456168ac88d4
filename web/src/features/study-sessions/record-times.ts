import { fromWallTime, parseDuration, toWallTime } from '../../lib/wall-time.ts';
import { addDays } from '../../lib/written-dates.ts';

/** Start and end as local times in the form of 2026-11-20T18:00, and the duration as typed. */
export type Times = { start: string; end: string; duration: string };

const minute = 60_000;
export const dayOf = (wall: string): string => wall.slice(0, 10);
export const clockOf = (wall: string): string => wall.slice(11, 16);

/** How the fields of a record's times depend on each other: day and start move it, end and duration change its length. */
export function createTimes(timezone: string, durationText: (seconds: number) => string) {
  const momentOf = (wall: string) => Date.parse(fromWallTime(wall, timezone) ?? '');
  const lengthOf = ({ start, end }: Times) => momentOf(end) - momentOf(start);
  const later = (wall: string, milliseconds: number) => toWallTime(momentOf(wall) + milliseconds, timezone);
  const written = (milliseconds: number) => durationText(milliseconds / 1000);

  function startAt(times: Times, start: string): Partial<Times> {
    return { start, end: later(start, lengthOf(times)) };
  }
  return {
    of: (from: string, to: string): Times => ({
      start: toWallTime(from, timezone),
      end: toWallTime(to, timezone),
      duration: written(Date.parse(to) - Date.parse(from)),
    }),
    onDay: (times: Times, day: string) => startAt(times, `${day}T${clockOf(times.start)}`),
    from: (times: Times, clock: string) => startAt(times, `${dayOf(times.start)}T${clock}`),
    /** An end before the start is on the next day. */
    until(times: Times, clock: string): Partial<Times> {
      const day = dayOf(times.start);
      const end = `${clock > clockOf(times.start) ? day : addDays(day, 1)}T${clock}`;
      return { end, duration: written(momentOf(end) - momentOf(times.start)) };
    },
    /** `isEndFixed`: the study has just ended. */
    lasting(times: Times, duration: string, isEndFixed: boolean): Partial<Times> {
      const length = parseDuration(duration);
      if (length === undefined) return { duration };
      if (isEndFixed) return { duration, start: later(times.end, -length * minute) };
      return { duration, end: later(times.start, length * minute) };
    },
    instantOf: (wall: string): string | undefined => fromWallTime(wall, timezone),
  };
}
