import { useState } from 'react';

/** State of an asynchronous action. A second call while it is running does nothing. */
export function useAction<A extends unknown[]>(work: (...args: A) => Promise<unknown>) {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const [isDone, setDone] = useState(false);

  async function run(...args: A): Promise<boolean> {
    if (isRunning) return false;
    setRunning(true);
    setDone(false);
    setError(undefined);
    try {
      await work(...args);
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
