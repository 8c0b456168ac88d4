import type { core, z } from 'zod';
import type { FieldError } from '../texts/errors.ts';
import { isMessageKey, type Message } from '../texts/index.ts';

function fieldPath(path: readonly PropertyKey[], root: string): string {
  if (path.length === 0) return root;
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

function fieldErrors(error: z.ZodError, root: string): FieldError[] {
  return error.issues.map((issue) => ({ field: fieldPath(issue.path, root), message: issueMessage(issue) }));
}

function issueMessage(issue: core.$ZodIssue): Message {
  switch (issue.code) {
    case 'custom':
      return isMessageKey(issue.message)
        ? { key: issue.message, params: textParams(issue.params) }
        : { key: 'invalid' };
    case 'invalid_type':
      if (issue.input === undefined) return { key: 'required' };
      return issue.expected === 'int'
        ? { key: 'expected_integer' }
        : { key: 'expected_type', params: { expected: issue.expected } };
    case 'invalid_value':
      if (issue.input === undefined) return { key: 'required' };
      return { key: 'not_one_of', params: { values: issue.values.map(String).join(', ') } };
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return { key: 'required' };
      return { key: boundKey(issue.origin, 'small'), params: { minimum: String(issue.minimum) } };
    case 'too_big':
      return { key: boundKey(issue.origin, 'big'), params: { maximum: String(issue.maximum) } };
    default:
      if (isMessageKey(issue.message)) return { key: issue.message };
      return { key: issue.code === 'invalid_format' && issue.format === 'email' ? 'invalid_email' : 'invalid' };
  }
}

function boundKey(origin: string, side: 'small' | 'big') {
  if (origin === 'string') return side === 'small' ? 'too_short' : 'too_long';
  if (origin === 'array' || origin === 'set') return side === 'small' ? 'too_few_items' : 'too_many_items';
  return side === 'small' ? 'too_small' : 'too_big';
}

function textParams(params: unknown): Record<string, string | number> {
  const entries = Object.entries(params ?? {}).filter(
    ([, value]) => typeof value === 'string' || typeof value === 'number',
  );
  return Object.fromEntries(entries);
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; errors: FieldError[] };

/** Without a schema, the part is ignored. The server's limit on headers bounds the path. */
export function parsePart<S extends z.ZodType>(
  schema: S | undefined,
  given: unknown,
  root: string,
  maxUnits = maxTextUnits,
): Parsed<z.output<S>> {
  if (schema === undefined) return { ok: true, value: undefined as z.output<S> };
  const input = root === 'path' ? given : boundInput(given, maxUnits);
  const result = schema.safeParse(input);
  if (result.success) return { ok: true, value: result.data };
  // The messages depend on the input. `reportInput` would make parsing of valid input six times slower.
  const { error } = schema.safeParse(input, { reportInput: true });
  return { ok: false, errors: error === undefined ? [] : fieldErrors(error, root) };
}

/** Rejects repeated or bracketed known parameters, ignores unknown ones, and treats an empty or blank value as absent. */
export function parseQuery<S extends z.ZodObject>(
  schema: S | undefined,
  known: ReadonlySet<string>,
  url: string,
): Parsed<z.output<S>> {
  const values: Record<string, string> = {};
  const errors = new Map<string, FieldError>();
  const seen = new Set<string>();
  const mark = url.indexOf('?');
  for (const [key, value] of new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1))) {
    const name = key.split('[', 1)[0] ?? key;
    if (!known.has(name)) continue;
    if (key !== name || seen.has(name)) errors.set(name, { field: name, message: { key: 'given_once' } });
    seen.add(name);
    if (value.trim() !== '') values[name] = value;
  }
  return errors.size > 0 ? { ok: false, errors: [...errors.values()] } : parsePart(schema, values, 'query');
}

/**
 * Longer than any field allows, so that what is cut is always rejected; tests compare them with the schemas. To normalise a text of
 * 4,000 combining marks takes 7 ms, and one of 16,000 takes 70. Fields of forms may have JSON, which is not normalised.
 */
export const maxTextUnits = 4_000;
export const maxFormTextUnits = 16_000;
export const maxListItems = 1_001;
/** Deeper than any schema. */
const maxDepth = 8;

/**
 * Bounds input before a schema normalises or parses it: text and lists that are too long for any field are replaced by ones that
 * are still too long, so that the schema reports them. Changes lists and objects in place.
 */
export function boundInput(value: unknown, maxUnits = maxTextUnits, depth = 0): unknown {
  // No field accepts so many letters, and they are quickly normalised.
  if (typeof value === 'string') return value.length > maxUnits ? 'x'.repeat(maxUnits + 1) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxDepth) return undefined;
  if (Array.isArray(value)) value.length = Math.min(value.length, maxListItems);
  for (const [key, item] of Object.entries(value)) Reflect.set(value, key, boundInput(item, maxUnits, depth + 1));
  return value;
}
