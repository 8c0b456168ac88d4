import { isAcknowledgedWrite, type Try } from '../support/load.ts';

/** What clients noticed of a fault. */
export type Outage = { fault: string; withoutWrites: number; refused: number };

/** The longest time, in milliseconds, between two writes that were answered well, from a moment until now. */
export function timeWithoutWrites(tries: readonly Try[], from: number): number {
  const answered = tries.filter(isAcknowledgedWrite);
  const moments = answered.map(({ at, took }) => at + took).filter((moment) => moment > from);
  const sorted = [from, ...moments.sort((a, b) => a - b)];
  return Math.max(...sorted.slice(1).map((moment, at) => moment - (sorted[at] ?? from)));
}

/** One line for each fault: in the middle and at worst, in seconds, over all rounds. */
export function summary(outages: readonly Outage[]): string {
  const faults = [...new Set(outages.map(({ fault }) => fault))];
  const lines = faults.map((fault) => {
    const rounds = outages.filter((outage) => outage.fault === fault);
    const times = rounds.map(({ withoutWrites }) => withoutWrites / 1000).sort((a, b) => a - b);
    const middle = times[Math.floor((times.length - 1) / 2)] ?? 0;
    const refused = rounds.reduce((sum, round) => sum + round.refused, 0);
    return `${fault}: ${middle.toFixed(1)} s without writes (worst ${(times.at(-1) ?? 0).toFixed(1)} s), ${refused} requests to repeat`;
  });
  return `${lines.join('\n')}\n`;
}
