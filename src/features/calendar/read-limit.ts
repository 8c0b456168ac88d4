const minute = 60_000;

/** Counts reads of a key per minute, in this process. Keys are known ones, and forgotten with their minute. */
export function createReadLimit(perMinute: number) {
  let begun = 0;
  const counts = new Map<string, number>();
  return {
    /** Counts a read; the seconds until the next one is allowed, or 0. */
    secondsToWait(key: string, now: Date): number {
      const time = now.getTime();
      if (time >= begun + minute || time < begun) {
        begun = time;
        counts.clear();
      }
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count > perMinute ? (begun + minute - time) / 1000 : 0;
    },
  };
}
