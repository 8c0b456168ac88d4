/** A tab that was closed in the middle must not hold up the others for longer. */
const longestHold = 10_000;
/** Time for another tab's mark, set at the same moment, to be seen. */
const settling = 20;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Does something in one tab at a time. Locks exist on https and on this machine; elsewhere a mark in the storage serves. */
export function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks;
  return locks === undefined ? withMark(`studytrack.lock.${name}`, work) : locks.request(`studytrack.${name}`, work);
}

async function withMark<T>(place: string, work: () => Promise<T>): Promise<T> {
  const own = `${Date.now()} ${Math.random()}`;
  try {
    do {
      while (isHeld(localStorage.getItem(place))) await pause(5 * settling * Math.random());
      localStorage.setItem(place, own);
      await pause(settling);
    } while (localStorage.getItem(place) !== own); // of several, the last one to set its mark goes first
  } catch {
    return work(); // storage is forbidden
  }
  try {
    return await work();
  } finally {
    if (localStorage.getItem(place) === own) localStorage.removeItem(place);
  }
}

const isHeld = (mark: string | null) => mark !== null && Math.abs(Date.now() - Number.parseInt(mark, 10)) < longestHold;
