/** Ends timers that were left running, at the time at which they became overdue. */
export type OverdueTimers = {
  maxSeconds: number;
  /** Of one user; waits for their locks. Returns whether there was one. */
  end(userId: number): Promise<boolean>;
  /** Of these users; not of those whose rows are locked, so that the long work of one user does not delay others. */
  endUnlocked(users: readonly number[]): Promise<number>;
  endAll(): Promise<void>;
  /** Whether to repeat what failed: with an overlap, while the author of the record had an overdue timer. */
  recover(error: unknown, author: number): Promise<boolean>;
  /** Repeats the work if it failed with an overlap and the author of the record had an overdue timer. */
  retry<T>(author: () => number, work: () => Promise<T>): Promise<T>;
};
