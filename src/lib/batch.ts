import { setImmediate } from 'node:timers/promises';

export type BatchOptions = {
  /** Batches at a time; more would only make them smaller. */
  maxActive?: number;
  maxSize?: number;
  /** Whether an error concerns all inputs, as when the database is unavailable. Otherwise each of them runs again, alone. */
  isShared: (error: unknown) => boolean;
};

/** Inputs that run again at a time: each uses a connection, and some of them may wait for a lock. */
const maxRetrying = 4;

type Entry<Input, Output> = { input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void };

/**
 * Runs inputs that arrive together, or while earlier ones are in progress, in one call. It starts after all of them arrived, so it
 * reads nothing older than a call per input would. `run` returns one output per input, in their order. After an error each input runs
 * again, `alone` and a few at a time, which delays no batch: `run` may wait longer then, such as for a lock.
 */
export function createBatch<Input, Output>(
  run: (inputs: readonly Input[], alone: boolean) => Promise<readonly Output[]>,
  { maxActive = 2, maxSize = 64, isShared }: BatchOptions,
): (input: Input) => Promise<Output> {
  const waiting: Entry<Input, Output>[] = [];
  /** Those whose batch has failed, and that run again alone. */
  const failed: Entry<Input, Output>[] = [];
  let active = 0;
  let retrying = 0;

  async function runAll(batch: readonly Entry<Input, Output>[], alone = false): Promise<void> {
    try {
      const outputs = await run(
        batch.map(({ input }) => input),
        alone,
      );
      if (outputs.length !== batch.length) throw new Error(`${outputs.length} outputs for ${batch.length} inputs`);
      for (const [index, output] of outputs.entries()) batch[index]?.resolve(output);
    } catch (error) {
      if (isShared(error)) {
        // Those that are waiting would fail in the same way, after the same time.
        for (const entry of [...batch, ...failed.splice(0), ...waiting.splice(0)]) entry.reject(error);
      } else if (alone) {
        batch[0]?.reject(error);
      } else {
        failed.push(...batch);
        while (retrying < maxRetrying && failed.length > 0) void retry();
      }
    }
  }

  async function retry(): Promise<void> {
    retrying += 1;
    for (let entry = failed.shift(); entry !== undefined; entry = failed.shift()) await runAll([entry], true);
    retrying -= 1;
  }

  async function drain(): Promise<void> {
    active += 1;
    // Inputs that arrived together with the first are still being parsed: it waits until a turn of the event loop brings none,
    // but not for long: to a busy service each turn brings some.
    for (let turn = 0, count = 0; turn < 4 && waiting.length > count && waiting.length < maxSize; turn += 1) {
      count = waiting.length;
      await setImmediate();
    }
    while (waiting.length > 0) await runAll(waiting.splice(0, maxSize));
    active -= 1;
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (active < maxActive) void drain();
    });
}
