import type { FieldError } from '../../../texts/errors.ts';

export type Times = { started_at: Date; ended_at: Date };

export const minSessionSeconds = 1;
export const maxSessionSeconds = 86_400;
const earliestTime = new Date('2000-01-01T00:00:00Z');
/** Tolerance in seconds for client clocks that are ahead. */
export const aheadSeconds = 300;

function isTooEarly(time: Date): boolean {
  return time < earliestTime;
}

export function isTooLate(time: Date, now: Date): boolean {
  return time.getTime() > now.getTime() + aheadSeconds * 1000;
}

export function hoursOf(seconds: number): number {
  return Math.round(seconds / 36) / 100;
}

/** What remains to a target, or of its share of a day: 0 only if nothing does. Less than a millisecond is an error of a division. */
export function remainingHours(seconds: number): number {
  return seconds > 0.001 ? Math.max(0.01, hoursOf(seconds)) : 0;
}

export function secondsBetween({ started_at, ended_at }: Times): number {
  return Math.floor((ended_at.getTime() - started_at.getTime()) / 1000);
}

export function plusSeconds(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}

const endsInFuture: FieldError = { field: 'duration_seconds', message: { key: 'duration_into_future' } };
const noDuration: FieldError = {
  field: 'duration_seconds',
  message: { key: 'too_small', params: { minimum: minSessionSeconds } },
};

/** What a client sent. */
type GivenEnd = { ended_at?: Date | null | undefined; duration_seconds?: number | undefined };

/** The errors in the times of a session: 1 second to 24 hours, not before 2000, not in the future. */
export function timeErrors(times: Times, now: Date, given: GivenEnd = {}): FieldError[] {
  const errors: FieldError[] = [];
  const { started_at, ended_at } = times;
  const byDuration = given.duration_seconds !== undefined && given.ended_at?.getTime() !== ended_at.getTime();
  if (isTooEarly(started_at)) errors.push({ field: 'started_at', message: { key: 'session_too_early' } });
  if (isTooLate(started_at, now)) errors.push({ field: 'started_at', message: { key: 'session_in_future' } });
  else if (isTooLate(ended_at, now))
    errors.push(byDuration ? endsInFuture : { field: 'ended_at', message: { key: 'session_in_future' } });
  const milliseconds = ended_at.getTime() - started_at.getTime();
  if (milliseconds < minSessionSeconds * 1000)
    errors.push(byDuration ? noDuration : { field: 'ended_at', message: { key: 'session_too_short' } });
  if (milliseconds > maxSessionSeconds * 1000) errors.push({ field: 'ended_at', message: { key: 'session_too_long' } });
  return errors;
}

/** The error in the start of a running timer: in the future, or earlier than the maximum length of a session. */
export function timerStartProblem(startedAt: Date, now: Date): 'session_in_future' | 'timer_too_early' | undefined {
  if (isTooLate(startedAt, now)) return 'session_in_future';
  return startedAt < plusSeconds(now, -maxSessionSeconds) ? 'timer_too_early' : undefined;
}

/** Requested times; all are optional, and `ended_at` is null if the client sends back a running session. */
export type RequestedTimes = {
  started_at?: Date | undefined;
  ended_at?: Date | null | undefined;
  duration_seconds?: number | undefined;
};

/**
 * The times after a change. A value that equals the current one was read by the client and requests no change: a new
 * `ended_at` takes precedence over the old `duration_seconds`, and vice versa.
 */
export function changeTimes(current: Times, requested: RequestedTimes): Times | 'contradiction' {
  const started_at = requested.started_at ?? current.started_at;
  const { ended_at: end, duration_seconds: seconds } = requested;
  const newLength = seconds !== undefined && seconds !== secondsBetween(current);
  if (end == null) {
    const moved = started_at.getTime() !== current.started_at.getTime();
    const follows = seconds !== undefined && (newLength || moved);
    return { started_at, ended_at: follows ? plusSeconds(started_at, seconds) : current.ended_at };
  }
  if (!newLength) return { started_at, ended_at: end };
  if (end.getTime() === current.ended_at.getTime()) return { started_at, ended_at: plusSeconds(started_at, seconds) };
  return secondsBetween({ started_at, ended_at: end }) === seconds ? { started_at, ended_at: end } : 'contradiction';
}
