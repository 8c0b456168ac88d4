import type { Day } from './day-kinds.ts';

type Period = { from: Day; to: Day };

/** How the study of a period is limited to the part that another one has had so far: that one's last day, and its distance. */
export type SamePart = { lastDay: Day; daysAgo: number };

/**
 * Two periods that are compared, both up to the last day that counts. While the first one is not over, only the same part of
 * the other counts, up to the same time on its last day: a morning is never compared with a whole day. Of neither count days to come.
 */
export function comparedPeriods(period: Period, other: Period, today: Day) {
  const soFar = ({ from, to }: Period): Period => ({ from, to: from <= today ? Math.min(to, today) : to });
  const passed = today - period.from;
  const isRunning = passed >= 0 && today <= period.to;
  const daysAgo = period.from - other.from;
  return {
    isRunning,
    period: soFar(period),
    other: soFar(isRunning ? { from: other.from, to: Math.min(other.to, other.from + passed) } : other),
    /** Also of a period that is over for the reader, but not yet for a student further west. */
    samePart: passed < 0 ? undefined : { lastDay: period.to, daysAgo },
  };
}
