import { useSyncExternalStore } from 'react';

/**
 * Requests that are being resolved: a status cannot go back in the service, so it is written when the time to undo is
 * over. Until then they are hidden. A closed tab leaves them open.
 */
let waiting: readonly number[] = [];
const listeners = new Set<() => void>();

function change(next: readonly number[]): void {
  waiting = next;
  for (const listener of listeners) listener();
}

export const deferred = {
  has: (id: number) => waiting.includes(id),
  add: (id: number) => change([...waiting.filter((other) => other !== id), id]),
  remove: (id: number) => change(waiting.filter((other) => other !== id)),
  /** The latest one. */
  last: () => waiting.at(-1),
};

export const useDeferred = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting,
  );
