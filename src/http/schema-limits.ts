import { z } from 'zod';

type JsonSchema = { readonly [keyword: string]: unknown };

const isSchema = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema and everything in it: properties, items and alternatives. */
function* schemasIn(part: unknown): Generator<Record<string, unknown>> {
  if (Array.isArray(part)) for (const item of part) yield* schemasIn(item);
  if (!isSchema(part)) return;
  if ('type' in part || 'anyOf' in part) yield part;
  for (const [key, value] of Object.entries(part)) if (!key.startsWith('example')) yield* schemasIn(value);
}

const limitNames = {
  minLength: 'min_length',
  maxLength: 'max_length',
  minimum: 'minimum',
  maximum: 'maximum',
  minItems: 'min_items',
  maxItems: 'max_items',
} as const;
type Keyword = keyof typeof limitNames;
const keywords = Object.keys(limitNames) as Keyword[]; // the keys of this object

/** Lengths count code points. */
export type FieldLimits = { [Name in (typeof limitNames)[Keyword]]?: number | undefined };

/** For forms: the limits of the fields of a body. */
export function fieldLimits(schema: z.ZodType): Record<string, FieldLimits> {
  const json: JsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  const properties = isSchema(json['properties']) ? json['properties'] : {};
  const definitions = isSchema(json['$defs']) ? json['$defs'] : {};
  const fields = Object.entries(properties).map(([name, field]) => [name, limitsOf(field, definitions)] as const);
  return Object.fromEntries(fields.filter(([, limits]) => Object.keys(limits).length > 0));
}

function limitsOf(node: unknown, definitions: JsonSchema): FieldLimits {
  if (!isSchema(node)) return {};
  const target = String(node['$ref'] ?? '').replace('#/$defs/', '');
  const schema: JsonSchema = { ...Object(definitions[target]), ...node, ...Object(node['override']) };
  const limits: FieldLimits = Object.assign(
    {},
    ...[schema['anyOf'], schema['allOf']].flat().map((branch) => limitsOf(branch, definitions)),
  );
  for (const keyword of keywords) {
    const value = schema[keyword];
    // Zod limits integers to the safe range; forms do not need that limit.
    if (typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER) limits[limitNames[keyword]] = value;
  }
  return limits;
}

/** For text without a limit in its schema, such as dates and numbers in a query. */
const defaultMaxLength = 256;
const defaultMaxItems = 1000;

const hasType = (schema: JsonSchema, name: string) => [schema['type']].flat().includes(name);

/** Completes the schemas of an OpenAPI document: every input has a limit, every integer a format. */
export function completeSchemas(document: { paths?: object; webhooks?: object; components?: object }): void {
  const { paths = {}, webhooks = {}, components = {} } = document;
  for (const item of Object.values(paths))
    for (const { parameters, requestBody } of Object.values(item as Record<string, JsonSchema>))
      for (const schema of schemasIn([parameters, requestBody])) limit(schema);
  const described = [paths, webhooks, components['schemas' as never]];
  dropOverrides(described);
  boundIntegers(described, '');
  for (const schema of schemasIn(described)) complete(schema);
  for (const item of Object.values(paths))
    for (const { parameters } of Object.values(item as Record<string, JsonSchema>)) describeOnce(parameters);
}

/** Zod's schema repeats the description of the parameter that has it; here it may also say that values may be added. */
function describeOnce(parameters: unknown): void {
  for (const parameter of Array.isArray(parameters) ? parameters : []) {
    const { description, ...schema } = parameter.schema;
    Object.assign(parameter, { description, schema });
  }
}

/** Beside a reference Zod repeats the `override` of the schema, which is no keyword of JSON Schema. */
function dropOverrides(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  if ('$ref' in part) Reflect.deleteProperty(part, 'override');
  for (const value of Object.values(part)) dropOverrides(value);
}

/** Responses: ids begin with 1, other integers are counts. Zod says of each that a number of JavaScript can hold it. */
function boundIntegers(part: unknown, name: string): void {
  if (Array.isArray(part)) for (const item of part) boundIntegers(item, name);
  if (!isSchema(part)) return;
  if (hasType(part, 'integer')) {
    if (part['minimum'] === Number.MIN_SAFE_INTEGER) part['minimum'] = /(?:^|_)ids?$/.test(name) ? 1 : 0;
    if (part['maximum'] === Number.MAX_SAFE_INTEGER && part['minimum'] === 0) delete part['maximum'];
  }
  for (const [key, value] of Object.entries(part)) {
    if (key.startsWith('example')) continue;
    if (key === 'properties' && isSchema(value))
      for (const [property, schema] of Object.entries(value)) boundIntegers(schema, property);
    else boundIntegers(value, name);
  }
}

/** Enumerations of the first version, whose values are complete. */
const completeEnums = [
  ['academic', 'skill', 'hobby', 'other'],
  ['active', 'completed', 'paused'],
  ['excellent', 'good', 'normal'],
  ['admin', 'user'],
  ['active', 'inactive'],
  ['pending', 'reviewed', 'resolved'],
].map((values) => values.join());

const mayGrow = 'Later versions may add values.';

function markEnum(schema: Record<string, unknown>): void {
  const values = schema['enum'];
  if (!Array.isArray(values) || completeEnums.includes(values.join())) return;
  const { description } = schema;
  schema['description'] = typeof description === 'string' ? `${description.replace(/\.?$/, '.')} ${mayGrow}` : mayGrow;
}

function limit(schema: Record<string, unknown>): void {
  const isLimited = ['maxLength', 'enum', 'const'].some((key) => key in schema) || schema['format'] === 'binary';
  if (hasType(schema, 'string') && !isLimited) schema['maxLength'] = defaultMaxLength;
  if (hasType(schema, 'array')) schema['maxItems'] ??= defaultMaxItems;
  if (hasType(schema, 'integer')) {
    schema['minimum'] ??= Number.MIN_SAFE_INTEGER;
    schema['maximum'] ??= Number.MAX_SAFE_INTEGER;
  }
}

/** Generators of clients reject repetitions of what an integer or one of the alternatives already says. */
function simplify(schema: Record<string, unknown>): void {
  if (schema['default'] === null) delete schema['default'];
  if (hasType(schema, 'integer') || String(schema['format']).startsWith('date')) delete schema['pattern'];
  if (!Array.isArray(schema['anyOf'])) return;
  if (hasType(schema, 'null'))
    delete schema['anyOf']; // it repeats the type and the limits
  else for (const keyword of ['type', 'maxLength', 'maxItems']) delete schema[keyword];
}

function complete(schema: Record<string, unknown>): void {
  simplify(schema);
  markEnum(schema);
  // Later versions may add fields: a client that validates must not reject them.
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (!hasType(schema, 'integer')) return;
  const { minimum, maximum } = schema;
  const fits = typeof minimum === 'number' && typeof maximum === 'number' && minimum >= -(2 ** 31) && maximum < 2 ** 31;
  schema['format'] ??= fits ? 'int32' : 'int64';
}
