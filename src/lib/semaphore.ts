/** Lets at most `limit` jobs run at once; the others wait and start in the order they came. */
export function createSemaphore(limit: number) {
  const waiting: Array<() => void> = [];
  let free = limit;

  /** Runs the job when its turn comes, and gives back its result or its failure. */
  async function run<T>(job: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1;
    else await new Promise<void>((start) => waiting.push(start));
    try {
      return await job();
    } finally {
      // The place goes straight to the next in line: a job that arrives at this moment cannot overtake it.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  }

  return { run };
}
