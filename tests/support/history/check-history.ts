import type { History, Operation } from './history.ts';

/**
 * The write and the reads of one value. Since each value is written once, they are adjacent in any order that explains the
 * history: from `first`, the earliest end of one of them, to `last`, the latest start.
 */
type Zone = { value: string; write: Operation; reads: readonly Operation[]; first: number; last: number };

/**
 * Whether the operations of a register have an order in which each takes effect between its start and its end and each
 * read returns the latest write (linearizability). Returns the contradictions; none if there is such an order.
 *
 * With values that are written once this needs no search (Gibbons and Korach, Testing Shared Memories, 1997). A zone
 * whose operations do not all overlap one another must not share the time from its `first` to its `last` with another.
 */
export function checkRegister(operations: readonly Operation[]): string[] {
  const writes = new Map<string, Operation>();
  const problems: string[] = [];
  for (const write of operations.filter(({ kind }) => kind === 'write')) {
    if (writes.has(write.value)) problems.push(`${write.value} is written twice, which the check does not support`);
    writes.set(write.value, write);
  }

  const reads = new Map<string, Operation[]>();
  for (const read of operations.filter(({ kind }) => kind === 'read')) {
    const write = writes.get(read.value);
    if (write === undefined) problems.push(`${describe(read)}, which was never written`);
    else if (write.outcome === 'rejected') problems.push(`${describe(read)}, which was rejected: ${describe(write)}`);
    else if (read.end < write.start) problems.push(`${describe(read)} before it was written: ${describe(write)}`);
    else reads.set(read.value, [...(reads.get(read.value) ?? []), read]);
  }

  const zones = [...writes.values()].flatMap((write) => zoneOf(write, reads.get(write.value) ?? []));
  return [...problems, ...overlaps(zones)];
}

/** The contradictions in each register of a history. */
export function checkHistory({ registers }: Pick<History, 'registers'>): string[] {
  return [...registers].flatMap(([key, operations]) => checkRegister(operations).map((text) => `${key}: ${text}`));
}

/** A rejected write has no effect, nor has a write of unknown outcome that no read returned. */
function zoneOf(write: Operation, reads: readonly Operation[]): Zone[] {
  if (write.outcome === 'rejected' || (write.outcome === 'unknown' && reads.length === 0)) return [];
  const all = [write, ...reads];
  const first = Math.min(...all.map(({ end }) => end));
  const last = Math.max(...all.map(({ start }) => start));
  return [{ value: write.value, write, reads, first, last }];
}

/** Zones that need some time exclusively but share it with another. */
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
  return `${describe(witness)}, although it was overwritten: ${describe(zone.write)}, ${describe(other.write)}`;
}

function describe({ kind, value, start, end, who }: Operation): string {
  return `${who} ${kind === 'read' ? 'read' : 'wrote'} ${value} [${start.toFixed(1)}, ${end.toFixed(1)}]`;
}
