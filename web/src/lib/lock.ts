/** A lock left by a closed tab expires after this time. */
const lockTimeout = 10_000;
/** Time to see another tab's entry written at the same moment: on a busy machine a tab learns of it late. */
const settleTime = 100;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Runs `work` in one tab at a time. The Web Locks API needs a secure context; without it, local storage is used. */
export function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks;
  return locks === undefined
    ? withStorageLock(`studytrack.lock.${name}`, work)
    : locks.request(`studytrack.${name}`, work);
}

async function withStorageLock<T>(key: string, work: () => Promise<T>): Promise<T> {
  const own = `${Date.now()} ${Math.random()}`;
  try {
    do {
      while (isHeld(localStorage.getItem(key))) await pause(settleTime * Math.random());
      localStorage.setItem(key, own);
      await pause(settleTime);
    } while (localStorage.getItem(key) !== own); // the last writer gets the lock
  } catch {
    return work(); // storage is blocked
  }
  try {
    return await work();
  } finally {
    if (localStorage.getItem(key) === own) localStorage.removeItem(key);
  }
}

const isHeld = (entry: string | null) =>
  entry !== null && Math.abs(Date.now() - Number.parseInt(entry, 10)) < lockTimeout;
