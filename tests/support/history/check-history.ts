import type { History, Operation } from './history.ts';

/**
 * The writes and reads of one value. In any order that explains the history they stand side by side, since each value is
 * written once: from `first`, the earliest end of one of them, to `last`, the latest start.
 */
type Zone = { value: string; write: Operation; reads: readonly Operation[]; first: number; last: number };

/**
 * Whether the operations of a register can be put into one order, in which each stands between its start and its end and
 * each read finds the latest write (linearizability). Returns what contradicts it; nothing: there is such an order.
 *
 * With values that are written once this needs no search (Gibbons and Korach, Testing Shared Memories, 1997). A zone
 * whose operations do not all overlap one another must have the time from its `first` to its `last` for itself.
 */
export function checkRegister(operations: readonly Operation[]): string[] {
  const writes = new Map<string, Operation>();
  const problems: string[] = [];
  for (const write of operations.filter(({ kind }) => kind === 'write')) {
    if (writes.has(write.value)) problems.push(`${write.value} is written twice, which the check does not know`);
    writes.set(write.value, write);
  }

  const reads = new Map<string, Operation[]>();
  for (const read of operations.filter(({ kind }) => kind === 'read')) {
    const write = writes.get(read.value);
    if (write === undefined) problems.push(`${told(read)}, which nobody wrote`);
    else if (write.outcome === 'refused') problems.push(`${told(read)}, which was refused: ${told(write)}`);
    else if (read.end < write.start) problems.push(`${told(read)} before it was written: ${told(write)}`);
    else reads.set(read.value, [...(reads.get(read.value) ?? []), read]);
  }

  const zones = [...writes.values()].flatMap((write) => zoneOf(write, reads.get(write.value) ?? []));
  return [...problems, ...overlaps(zones)];
}

/** What contradicts each register of a history. */
export function checkHistory({ registers }: Pick<History, 'registers'>): string[] {
  return [...registers].flatMap(([key, operations]) => checkRegister(operations).map((text) => `${key}: ${text}`));
}

/** A write that was refused has no effect; one whose outcome nobody knows, and that nobody saw, need have none. */
function zoneOf(write: Operation, reads: readonly Operation[]): Zone[] {
  if (write.outcome === 'refused' || (write.outcome === 'unknown' && reads.length === 0)) return [];
  const all = [write, ...reads];
  const first = Math.min(...all.map(({ end }) => end));
  const last = Math.max(...all.map(({ start }) => start));
  return [{ value: write.value, write, reads, first, last }];
}

/** Zones that need some time for themselves, and another that needs a part of it. */
function overlaps(zones: readonly Zone[]): string[] {
  const wide = zones.filter(({ first, last }) => first < last).sort((a, b) => a.first - b.first);
  const narrow = zones.filter(({ first, last }) => first >= last);
  const problems: string[] = [];
  let widest: Zone | undefined;
  for (const zone of wide) {
    if (widest !== undefined && zone.first < widest.last) problems.push(conflict(widest, zone));
    if (widest === undefined || zone.last > widest.last) widest = zone;
  }
  for (const zone of narrow) {
    const around = wide.find(({ first, last }) => first < zone.last && zone.first < last);
    if (around !== undefined) problems.push(conflict(around, zone));
  }
  return problems;
}

function conflict(zone: Zone, other: Zone): string {
  const witness = zone.reads.reduce<Operation>(
    (latest, read) => (read.start > latest.start ? read : latest),
    zone.write,
  );
  return `${told(witness)}, although it was overwritten: ${told(zone.write)}, ${told(other.write)}`;
}

function told({ kind, value, start, end, who }: Operation): string {
  return `${who} ${kind === 'read' ? 'read' : 'wrote'} ${value} [${start.toFixed(1)}, ${end.toFixed(1)}]`;
}
