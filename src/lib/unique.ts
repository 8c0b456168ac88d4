export function unique<T>(entries: Iterable<T>): T[] {
  return [...new Set(entries)];
}
