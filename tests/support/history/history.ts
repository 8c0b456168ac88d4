/**
 * The outcome of a write. `rejected`: no read may return it. `unknown`, for example after a closed connection: it may take
 * effect at any later time or never.
 */
export type Outcome = 'done' | 'rejected' | 'unknown';

/** One call and its result. Times are from one clock; the end of a write with an unknown outcome is in the future. */
export type Operation = {
  kind: 'write' | 'read';
  value: string;
  start: number;
  end: number;
  outcome: Outcome;
  who: string;
};

/** The writes and reads of registers, by key, as seen by the callers. */
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

    /** Sets the value of a register before all operations. */
    setInitial(key: string, value: string): void {
      const before = Number.NEGATIVE_INFINITY;
      log(key, { kind: 'write', value, start: before, end: before, outcome: 'done', who: 'the initial state' });
    },

    /** A write; each value of a register is written once. A call that throws has an unknown outcome. */
    async write(key: string, value: string, who: string, call: () => Promise<Outcome>): Promise<Outcome> {
      const start = now();
      const outcome = await call().catch((): Outcome => 'unknown');
      const end = outcome === 'unknown' ? Number.POSITIVE_INFINITY : now();
      log(key, { kind: 'write', value, start, end, outcome, who });
      return outcome;
    },

    /** A read of several registers by one call; one without a result is not recorded. */
    async read(who: string, call: () => Promise<Readonly<Record<string, string>> | undefined>): Promise<void> {
      const start = now();
      const values = await call().catch(() => undefined);
      const end = now();
      for (const [key, value] of Object.entries(values ?? {}))
        log(key, { kind: 'read', value, start, end, outcome: 'done', who });
    },
  };
}
