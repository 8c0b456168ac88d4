/** The entries without repetition, each at its first place. */
export function unique<T>(entries: Iterable<T>): T[] {
  return [...new Set(entries)];
}
