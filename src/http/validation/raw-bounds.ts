import { z } from 'zod';
import type { FieldError } from '../../errors.ts';

/** What a schema says about the size of its input; nothing where it accepts anything. */
type Bounds = {
  text?: number;
  list?: { most: number; items: Bounds };
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

/** For texts that no schema limits, such as dates and numbers in a query. */
export const unstatedText = 256;
export const unstatedItems = 1000;
/** Before normalisation a text may be this many times as long as after it: NFC shortens, and white space is trimmed. */
const slack = 4;

const compiled = new WeakMap<z.ZodType, Bounds>();

/**
 * Cuts every text and list of the input to a bounded raw size before anything normalises, matches or parses it, and reports
 * what was cut. The bounds are derived from the schema itself, so that no field is without one.
 */
export function enforceRawBounds(schema: z.ZodType, input: unknown, fieldName: FieldName): FieldError[] {
  const errors: FieldError[] = [];
  const holder = { input };
  cut(boundsOf(schema), holder, 'input', [], (path, key, maximum) => {
    errors.push({ field: fieldName(path), message: { key, params: { maximum } } });
  });
  return errors;
}

type FieldName = (path: readonly PropertyKey[]) => string;
type Report = (path: readonly PropertyKey[], key: 'too_long' | 'too_many_items', maximum: number) => void;

function cut(bounds: Bounds, parent: object, key: PropertyKey, path: readonly PropertyKey[], report: Report): void {
  const value: unknown = Reflect.get(parent, key);
  if (typeof value === 'string') {
    const maximum = bounds.text ?? unstatedText;
    if (value.length <= maximum * slack) return;
    report(path, 'too_long', maximum);
    Reflect.set(parent, key, value.slice(0, maximum * slack));
  } else if (Array.isArray(value)) {
    const { most, items } = bounds.list ?? { most: unstatedItems, items: {} };
    if (value.length > most) {
      report(path, 'too_many_items', most);
      value.length = most;
    }
    // As deep as the schema and no deeper: the input may be nested ten thousand times.
    if (bounds.list === undefined) return;
    for (let index = 0; index < value.length; index += 1) cut(items, value, index, [...path, index], report);
  } else if (typeof value === 'object' && value !== null && bounds.fields !== undefined) {
    for (const [name, ofField] of bounds.fields) {
      if (Object.hasOwn(value, name)) cut(ofField, value, name, [...path, name], report);
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
    ...(items !== undefined && { list: { most: maxItems ?? unstatedItems, items: read(items, definitions) } }),
    ...(properties !== undefined && {
      fields: new Map(Object.entries(properties).map(([name, field]) => [name, read(field, definitions)])),
    }),
  };
}

/** Of a union, each kind of input may be as large as in any of its branches. */
function widest(one: Bounds, other: Bounds): Bounds {
  const text = Math.max(one.text ?? 0, other.text ?? 0);
  const list = (one.list?.most ?? 0) > (other.list?.most ?? 0) ? one.list : (other.list ?? one.list);
  const fields = other.fields ?? one.fields;
  return { ...(text > 0 && { text }), ...(list !== undefined && { list }), ...(fields !== undefined && { fields }) };
}
