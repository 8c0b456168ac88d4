import type { StudyRecord } from './session-queries.ts';

const minute = 60_000;
const [shortest, longest] = [5 * minute, 60 * minute];

/** The last stretch of at most an hour in which nothing is recorded: since the latest record, or before it. */
export function freeSpan(records: readonly StudyRecord[], now: number): { from: string; to: string } {
  const busy = records
    .map(
      ({ started_at, ended_at }) => [Date.parse(started_at), ended_at === null ? now : Date.parse(ended_at)] as const,
    )
    .sort((a, b) => b[1] - a[1]);
  let to = Math.floor(now / minute) * minute;
  for (const [started, ended] of busy) {
    if (to - ended >= shortest) return spanOf(Math.max(ended, to - longest), to);
    to = Math.min(to, started);
  }
  return spanOf(to - longest, to);
}

const spanOf = (from: number, to: number) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
