import { z } from 'zod';
import type { FieldError } from '../../errors.ts';

type Bounds = {
  text?: number;
  list?: { maximum: number; items: Bounds };
  fields?: ReadonlyMap<string, Bounds>;
};

type JsonSchema = {
  type?: string | string[];
  maxLength?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  override?: JsonSchema;
};

/** For text without a limit in its schema, such as dates and numbers in a query. */
export const defaultMaxLength = 256;
export const defaultMaxItems = 1000;
/** Raw text may be this many times longer than the limit: normalisation and trimming shorten it. */
const rawFactor = 4;

const compiled = new WeakMap<z.ZodType, Bounds>();

/** Truncates oversized text and lists before anything normalises or parses them, and reports them. Every field has a bound. */
export function enforceRawBounds(schema: z.ZodType, input: unknown, fieldName: FieldName): FieldError[] {
  const errors: FieldError[] = [];
  const holder = { input };
  truncate(boundsOf(schema), holder, 'input', [], (path, key, maximum) => {
    errors.push({ field: fieldName(path), message: { key, params: { maximum } } });
  });
  return errors;
}

type FieldName = (path: readonly PropertyKey[]) => string;
type Report = (path: readonly PropertyKey[], key: 'too_long' | 'too_many_items', maximum: number) => void;

function truncate(
  bounds: Bounds,
  parent: object,
  key: PropertyKey,
  path: readonly PropertyKey[],
  report: Report,
): void {
  const value: unknown = Reflect.get(parent, key);
  if (typeof value === 'string') {
    const maximum = bounds.text ?? defaultMaxLength;
    if (value.length <= maximum * rawFactor) return;
    report(path, 'too_long', maximum);
    Reflect.set(parent, key, value.slice(0, maximum * rawFactor));
  } else if (Array.isArray(value)) {
    const { maximum, items } = bounds.list ?? { maximum: defaultMaxItems, items: {} };
    if (value.length > maximum) {
      report(path, 'too_many_items', maximum);
      value.length = maximum;
    }
    // No deeper than the schema, because the input may be nested ten thousand times.
    if (bounds.list === undefined) return;
    for (let index = 0; index < value.length; index += 1) truncate(items, value, index, [...path, index], report);
  } else if (typeof value === 'object' && value !== null && bounds.fields !== undefined) {
    for (const [name, ofField] of bounds.fields) {
      if (Object.hasOwn(value, name)) truncate(ofField, value, name, [...path, name], report);
    }
  }
}

function boundsOf(schema: z.ZodType): Bounds {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const bounds = read(json, json.$defs ?? {});
  compiled.set(schema, bounds);
  return bounds;
}

function read(node: JsonSchema, definitions: Record<string, JsonSchema>): Bounds {
  const schema = node.$ref === undefined ? node : { ...definitions[node.$ref.replace('#/$defs/', '')], ...node };
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [own(schema, definitions), ...branches.map((branch) => read(branch, definitions))].reduce(widest, {});
}

function own(schema: JsonSchema, definitions: Record<string, JsonSchema>): Bounds {
  const { maxLength, maxItems, items, properties, enum: values } = { ...schema, ...schema.override };
  const longest = Math.max(0, ...(values ?? []).map((value) => String(value).length));
  const text = maxLength ?? (longest > 0 ? Math.max(longest, 64) : undefined);
  return {
    ...(text !== undefined && { text }),
    ...(items !== undefined && { list: { maximum: maxItems ?? defaultMaxItems, items: read(items, definitions) } }),
    ...(properties !== undefined && {
      fields: new Map(Object.entries(properties).map(([name, field]) => [name, read(field, definitions)])),
    }),
  };
}

function widest(one: Bounds, other: Bounds): Bounds {
  const text = Math.max(one.text ?? 0, other.text ?? 0);
  const list = (one.list?.maximum ?? 0) > (other.list?.maximum ?? 0) ? one.list : (other.list ?? one.list);
  const fields = other.fields ?? one.fields;
  return { ...(text > 0 && { text }), ...(list !== undefined && { list }), ...(fields !== undefined && { fields }) };
}
