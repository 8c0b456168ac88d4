/**
 * What became of a write: done; refused, so that it must never be seen; or unknown, as when the connection broke before
 * the answer, so that it may take effect at any later time, or never.
 */
export type Outcome = 'done' | 'refused' | 'unknown';

/** One call and its answer. Times are of one clock; the end of a write with an unknown outcome is in the future. */
export type Operation = {
  kind: 'write' | 'read';
  value: string;
  start: number;
  end: number;
  outcome: Outcome;
  who: string;
};

/** Writes and reads of some registers, by key, as their callers saw them. */
export type History = ReturnType<typeof createHistory>;

export function createHistory(now: () => number = () => performance.now()) {
  const registers = new Map<string, Operation[]>();

  function log(key: string, operation: Operation): void {
    const operations = registers.get(key) ?? [];
    operations.push(operation);
    registers.set(key, operations);
  }

  return {
    registers: registers as ReadonlyMap<string, readonly Operation[]>,

    /** The value that a register has before all operations. */
    begin(key: string, value: string): void {
      const before = Number.NEGATIVE_INFINITY;
      log(key, { kind: 'write', value, start: before, end: before, outcome: 'done', who: 'the beginning' });
    },

    /** A write; each value of a register is written once. A call that throws has an unknown outcome. */
    async write(key: string, value: string, who: string, call: () => Promise<Outcome>): Promise<Outcome> {
      const start = now();
      const outcome = await call().catch((): Outcome => 'unknown');
      const end = outcome === 'unknown' ? Number.POSITIVE_INFINITY : now();
      log(key, { kind: 'write', value, start, end, outcome, who });
      return outcome;
    },

    /** A read of several registers by one call; one that answers nothing is no part of the history. */
    async read(who: string, call: () => Promise<Readonly<Record<string, string>> | undefined>): Promise<void> {
      const start = now();
      const values = await call().catch(() => undefined);
      const end = now();
      for (const [key, value] of Object.entries(values ?? {}))
        log(key, { kind: 'read', value, start, end, outcome: 'done', who });
    },
  };
}
