import { useEffect } from 'react';

/** The list from which a student was opened: its name and its students in their order. */
type Walk = { name: string; ids: readonly number[] };
let latest: Walk | undefined;

/** Makes the students of a list the ones that the page of a student leads through. */
export function useAsWalk(name: string, ids: readonly number[]): void {
  const key = ids.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the ids
  useEffect(() => {
    latest = { name, ids };
  }, [name, key]);
}

/** Where a student is in the list that was shown last, or else in the given one. */
export function stepsFrom(id: number, otherwise: Walk | undefined) {
  const walk = latest?.ids.includes(id) === true ? latest : otherwise;
  const at = walk?.ids.indexOf(id) ?? -1;
  if (walk === undefined || at < 0) return undefined;
  return {
    name: walk.name,
    position: at + 1,
    count: walk.ids.length,
    previous: walk.ids[at - 1],
    next: walk.ids[at + 1],
  };
}
