import { z } from 'zod';

const limitNames = {
  minLength: 'min_length',
  maxLength: 'max_length',
  minimum: 'minimum',
  maximum: 'maximum',
  minItems: 'min_items',
  maxItems: 'max_items',
} as const;
type Keyword = keyof typeof limitNames;
type JsonSchema = Partial<Record<Keyword, number>> & {
  properties?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  override?: JsonSchema;
};

/** Lengths count code points. */
export type FieldLimits = { [Name in (typeof limitNames)[Keyword]]?: number | undefined };

export function fieldLimits(schema: z.ZodType): Record<string, FieldLimits> {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const fields = Object.entries(json.properties ?? {}).map(([name, field]): [string, FieldLimits] => [
    name,
    limitsOf(field, json.$defs ?? {}),
  ]);
  return Object.fromEntries(fields.filter(([, limits]) => Object.keys(limits).length > 0));
}

function limitsOf(node: JsonSchema, definitions: Record<string, JsonSchema>): FieldLimits {
  const target = node.$ref === undefined ? {} : definitions[node.$ref.replace('#/$defs/', '')];
  const schema: JsonSchema = { ...target, ...node, ...node.override };
  const branches = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].map((branch) => limitsOf(branch, definitions));
  const own = (Object.keys(limitNames) as Keyword[]).flatMap((keyword) => {
    const value = schema[keyword];
    // Zod limits integers to the safe range; forms do not need that limit.
    return value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? [] : [[limitNames[keyword], value]];
  });
  return Object.assign({}, ...branches, Object.fromEntries(own)) as FieldLimits;
}
