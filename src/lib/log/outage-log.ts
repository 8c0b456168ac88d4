const quietFor = 60_000; // ms

/**
 * For failures of one kind. While something is unavailable, all of them fail: of these it logs the first, and then one per minute with
 * the number of the others.
 */
export function createOutageLog(): (isOutage: boolean, log: (count: { others?: number }) => void) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let others = 0;
  return (isOutage, log) => {
    if (!isOutage) return log({});
    const now = performance.now();
    if (now - loggedAt < quietFor) {
      others += 1;
      return;
    }
    log(others > 0 ? { others } : {});
    loggedAt = now;
    others = 0;
  };
}
