import type { createDays } from '../../lib/study-days.ts';
import type { Period, StudyRecord } from './session-queries.ts';

type Days = ReturnType<typeof createDays>;
export type RecordDay = {
  day: string;
  /** The records that began on the day. */
  entries: StudyRecord[];
  /** The study of the day as in statistics; undefined while records of it may be missing. */
  seconds: number | undefined;
};

/**
 * Records by the day on which they began, latest first. The time of one that runs past the start of a day counts for
 * both days, as everywhere; that of a running one counts up to now.
 */
export function groupByDay(
  records: readonly StudyRecord[],
  days: Days,
  now: number,
  { from, to }: Period,
  isMore: boolean,
): RecordDay[] {
  const entries = new Map<string, StudyRecord[]>();
  const seconds = new Map<string, number>();
  const [begin, end] = [Date.parse(from ?? ''), Date.parse(to ?? '')];
  for (const record of records) {
    const started = Date.parse(record.started_at);
    const first = days.dateOf(started);
    entries.set(first, [...(entries.get(first) ?? []), record]);
    const ended = record.ended_at === null ? now : Date.parse(record.ended_at);
    let at = Number.isNaN(begin) ? started : Math.max(started, begin);
    const last = Number.isNaN(end) ? ended : Math.min(ended, end);
    for (let day = days.dateOf(at); at < last; day = days.plus(day, 1)) {
      const next = Math.min(last, days.startOf(days.plus(day, 1)));
      seconds.set(day, (seconds.get(day) ?? 0) + (next - at) / 1000);
      at = next;
    }
  }
  const oldest = [...entries.keys()].at(-1);
  return [...new Set([...entries.keys(), ...seconds.keys()])]
    .filter((day) => entries.has(day) || (seconds.get(day) ?? 0) > 0)
    .sort()
    .toReversed()
    .map((day) => ({
      day,
      entries: entries.get(day) ?? [],
      seconds: isMore && oldest !== undefined && day <= oldest ? undefined : (seconds.get(day) ?? 0),
    }));
}
