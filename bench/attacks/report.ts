import type { Tally } from './attack.ts';
import type { LoadResult } from './load.ts';

type Probed = { what: string; sent: number; failures: Record<string, number>; slowest: number };

/** A measurement; without a tally it is the baseline. */
export type Line = { name: string; result: LoadResult; tally?: Tally; probed?: Probed | undefined };

const maxRatio = 5;
const columns = [
  ...['attack', 'requests', 'p50 ms', 'p99 ms', 'ratio', 'max ms', 'slowest kind (ratio)', '5xx', 'unexpected'],
  ...['requests of the attack', 'must succeed'],
];

const counts = (statuses: Record<string, number>) =>
  Object.entries(statuses)
    .map(([status, number]) => `${status} × ${number}`)
    .join(', ') || '–';

/** A line of progress, without ratios: those need the baseline measured at the end. */
export function progressLine({ name, result, tally, probed }: Line): string {
  const { requests, p50, p99, max, unexpected } = result;
  const times = `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} max ${max.toFixed(0)} ms`;
  return `${name}: ${requests} requests, ${times}, unexpected ${counts(unexpected)}; ${sentBy(tally)}; ${probeText(probed)}`;
}

function sentBy(tally: Tally | undefined): string {
  if (tally === undefined) return '–';
  const completed = Object.values(tally.statuses).reduce((sum, number) => sum + number, 0);
  const open = tally.sent > completed ? `, unanswered × ${tally.sent - completed}` : '';
  return `${tally.sent}: ${counts(tally.statuses)}${open}`;
}

function probeText(probed: Probed | undefined): string {
  if (probed === undefined) return '–';
  const failures = Object.keys(probed.failures).length === 0 ? '' : `, failed ${counts(probed.failures)}`;
  return `${probed.what}: ${probed.sent} sent${failures}, slowest ${probed.slowest.toFixed(0)} ms`;
}

/** The table, and whether a measurement failed. Of the two baselines the slower one counts. */
export function table(lines: readonly Line[]): { text: string; failed: boolean } {
  const baselines = lines.filter(({ tally }) => tally === undefined).map(({ result }) => result);
  const base = Math.max(...baselines.map(({ p99 }) => p99));
  const baseOf = (kind: string) => Math.max(...baselines.map(({ p99ByKind }) => p99ByKind[kind] ?? Number.NaN));
  const failed = lines.some(
    ({ result, tally, probed }) =>
      (tally !== undefined && result.p99 / base >= maxRatio) ||
      Object.keys(result.unexpected).length > 0 ||
      Object.keys(probed?.failures ?? {}).length > 0,
  );
  const rows = lines.map(({ name, result, tally, probed }) => {
    const ratios = Object.entries(result.p99ByKind).map(([kind, p99]) => ({ kind, ratio: p99 / baseOf(kind) }));
    const worst = ratios.sort((a, b) => b.ratio - a.ratio)[0];
    return [
      name,
      result.requests,
      result.p50.toFixed(1),
      result.p99.toFixed(1),
      (result.p99 / base).toFixed(2),
      result.max.toFixed(0),
      worst === undefined ? '–' : `${worst.kind} (${worst.ratio.toFixed(1)})`,
      result.serverErrors,
      counts(result.unexpected),
      sentBy(tally),
      probeText(probed),
    ];
  });
  const text = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  return { text, failed };
}
