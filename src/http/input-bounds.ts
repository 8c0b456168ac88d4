/** Longer than any field allows; tests compare them with the schemas. */
export const maxTextUnits = 4_000;
export const maxListItems = 1_001;
/** Deeper than any schema. */
const maxDepth = 8;

/** No field accepts it, and it is quickly normalised. */
const tooLong = 'x'.repeat(maxTextUnits + 1);

/**
 * Bounds input before a schema normalises or parses it: text and lists that are too long for any field are replaced by ones that
 * are still too long, so that the schema reports them. Changes lists and objects in place.
 */
export function boundInput(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.length > maxTextUnits ? tooLong : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxDepth) return undefined;
  if (Array.isArray(value)) value.length = Math.min(value.length, maxListItems);
  for (const [key, item] of Object.entries(value)) Reflect.set(value, key, boundInput(item, depth + 1));
  return value;
}
