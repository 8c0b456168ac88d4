import { type Attempt, isAcknowledgedWrite } from '../support/load.ts';

/** The effect of a fault on clients. */
export type Outage = { fault: string; withoutWrites: number; failed: number };

/** The longest time in milliseconds between two acknowledged writes since `from`. */
export function timeWithoutWrites(attempts: readonly Attempt[], from: number): number {
  const acknowledged = attempts.filter(isAcknowledgedWrite);
  const moments = acknowledged.map(({ at, took }) => at + took).filter((moment) => moment > from);
  const sorted = [from, ...moments.sort((a, b) => a - b)];
  return Math.max(...sorted.slice(1).map((moment, index) => moment - (sorted[index] ?? from)));
}

/** One line per fault: the median and the worst time in seconds over all rounds. */
export function summary(outages: readonly Outage[]): string {
  const faults = [...new Set(outages.map(({ fault }) => fault))];
  const lines = faults.map((fault) => {
    const rounds = outages.filter((outage) => outage.fault === fault);
    const times = rounds.map(({ withoutWrites }) => withoutWrites / 1000).sort((a, b) => a - b);
    const median = times[Math.floor((times.length - 1) / 2)] ?? 0;
    const failed = rounds.reduce((sum, round) => sum + round.failed, 0);
    return `${fault}: ${median.toFixed(1)} s without writes (worst ${(times.at(-1) ?? 0).toFixed(1)} s), ${failed} requests to retry`;
  });
  return `${lines.join('\n')}\n`;
}
