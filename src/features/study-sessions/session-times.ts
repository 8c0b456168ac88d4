import type { FieldError } from '../../errors.ts';

/** The stretch of a finished record. */
export type Times = { started_at: Date; ended_at: Date };

export const shortestSeconds = 1;
export const longestSeconds = 86_400;
export const earliestMoment = new Date('2000-01-01T00:00:00Z');
/** Clocks of clients run ahead; more than this is a mistake. In seconds. */
export const aheadSeconds = 300;

export function isTooEarly(moment: Date): boolean {
  return moment < earliestMoment;
}

export function isTooLate(moment: Date, now: Date): boolean {
  return moment.getTime() > now.getTime() + aheadSeconds * 1000;
}

/** Whole seconds, as records count them. */
export function secondsBetween({ started_at, ended_at }: Times): number {
  return Math.floor((ended_at.getTime() - started_at.getTime()) / 1000);
}

export function plusSeconds(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}

/** What is wrong with the times of a record: 1 second to 24 hours, not before 2000, not in the future. */
export function timeErrors(times: Times, now: Date): FieldError[] {
  const errors: FieldError[] = [];
  const { started_at, ended_at } = times;
  if (isTooEarly(started_at)) errors.push({ field: 'started_at', message: { key: 'session_too_early' } });
  if (isTooLate(started_at, now)) errors.push({ field: 'started_at', message: { key: 'session_in_future' } });
  else if (isTooLate(ended_at, now)) errors.push({ field: 'ended_at', message: { key: 'session_in_future' } });
  const milliseconds = ended_at.getTime() - started_at.getTime();
  if (milliseconds < shortestSeconds * 1000) errors.push({ field: 'ended_at', message: { key: 'session_too_short' } });
  if (milliseconds > longestSeconds * 1000) errors.push({ field: 'ended_at', message: { key: 'session_too_long' } });
  return errors;
}

/** What a client asks the times to be; any part may be left out, `ended_at` is null in the echo of a running record. */
export type WantedTimes = {
  started_at?: Date | undefined;
  ended_at?: Date | null | undefined;
  duration_seconds?: number | undefined;
};

/**
 * The times after a change. A part that equals the present one is an echo of what the client read and asks for nothing;
 * so a new `ended_at` wins over the old `duration_seconds` beside it, and the other way round.
 */
export function changeTimes(present: Times, wanted: WantedTimes): Times | 'contradiction' {
  const started_at = wanted.started_at ?? present.started_at;
  const { ended_at: end, duration_seconds: seconds } = wanted;
  const newLength = seconds !== undefined && seconds !== secondsBetween(present);
  if (end == null) {
    const moved = started_at.getTime() !== present.started_at.getTime();
    const follows = seconds !== undefined && (newLength || moved);
    return { started_at, ended_at: follows ? plusSeconds(started_at, seconds) : present.ended_at };
  }
  if (!newLength) return { started_at, ended_at: end };
  if (end.getTime() === present.ended_at.getTime()) return { started_at, ended_at: plusSeconds(started_at, seconds) };
  return secondsBetween({ started_at, ended_at: end }) === seconds ? { started_at, ended_at: end } : 'contradiction';
}
