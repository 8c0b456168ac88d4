import { counts, type Stretch, type secondsByDay, streaks, wallClock } from './statistics-oracle.ts';
import type { OracleProject } from './student-oracle.ts';

/** What records earn, computed slowly and without anything of the service. */

type Student = Parameters<typeof secondsByDay>[1] & Omit<Parameters<typeof streaks>[0], 'records'>;

const hour = 3600;
const amounts = [
  ['first_record', 1],
  ['hours_10', 10 * hour],
  ['hours_50', 50 * hour],
  ['hours_100', 100 * hour],
  ['hours_500', 500 * hour],
] as const;
const lengths = [3, 7, 30, 100];

/** The hour of the day at which a record begins, and at which it ends, counted from the same midnight. */
function hoursOfDay({ start, end }: Stretch, zone: string): [begins: number, ends: number] {
  const local = wallClock(start, zone);
  const midnight = Math.floor(local / 86_400_000) * 86_400_000;
  return [(local - midnight) / 3_600_000, (wallClock(end, zone) - midnight) / 3_600_000];
}

/**
 * The awards of records, and when each was earned: at the end of the record that earned it. Null if only that is so, not when. Records of
 * less than a minute add to the hours and earn nothing themselves.
 */
export function expectedAwards(
  student: Student,
  records: readonly Stretch[],
  { changes, reached }: { changes?: OracleProject['changes']; reached: boolean },
): Record<string, number | null> {
  const ordered = records.toSorted((a, b) => a.end - b.end);
  const earned: Record<string, number | null> = {};
  let seconds = 0;
  for (const record of ordered) {
    seconds += Math.floor((record.end - record.start) / 1000);
    if (!counts(record)) continue;
    const [begins, ends] = hoursOfDay(record, student.zone);
    for (const [name, amount] of amounts) if (seconds >= amount) earned[name] ??= record.end;
    if (begins >= 4 && begins < 7) earned['early_bird'] ??= record.end;
    if (begins >= 22 || begins < 4 || ends > 22) earned['night_owl'] ??= record.end;
  }
  const { longest } = streaks({ ...student, records, ...(changes && { changes }) });
  for (const length of lengths) if (longest >= length) earned[`streak_${length}`] = null;
  if (reached) earned['target_reached'] = null;
  return earned;
}

/** Whether the records reach a target: at once, or when it was lowered. */
export const reaches = (records: readonly Stretch[], targets: readonly number[]): boolean => {
  const seconds = records.reduce((total, { start, end }) => total + Math.floor((end - start) / 1000), 0);
  return targets.some((target) => target > 0 && seconds >= target * hour);
};
