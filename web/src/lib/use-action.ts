import { useState } from 'react';

/** Work started by a button: whether it is under way, and how it failed. A second press meanwhile does nothing. */
export function useAction<A extends unknown[]>(work: (...args: A) => Promise<unknown>) {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const [isDone, setDone] = useState(false);

  async function run(...args: A): Promise<boolean> {
    if (isRunning) return false;
    setRunning(true);
    setDone(false);
    try {
      await work(...args);
      setError(undefined);
      setDone(true);
      return true;
    } catch (failure) {
      setError(failure);
      return false;
    } finally {
      setRunning(false);
    }
  }

  return { run, isRunning, error, isDone };
}
