import { defaultMaxItems, defaultMaxLength } from '../validation/raw-bounds.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function* schemasIn(part: unknown): Generator<Record<string, unknown>> {
  if (Array.isArray(part)) for (const item of part) yield* schemasIn(item);
  if (!isObject(part)) return;
  if (typeof part['type'] === 'string' || Array.isArray(part['type'])) yield part;
  for (const [key, value] of Object.entries(part)) if (!key.startsWith('example')) yield* schemasIn(value);
}

const hasType = (schema: Json, name: string) => [schema['type']].flat().includes(name);

function bound(schema: Record<string, unknown>): void {
  const isBounded = ['maxLength', 'enum', 'const'].some((key) => key in schema) || schema['format'] === 'binary';
  if (hasType(schema, 'string') && !isBounded) schema['maxLength'] = defaultMaxLength;
  if (hasType(schema, 'array')) schema['maxItems'] ??= defaultMaxItems;
  if (hasType(schema, 'integer')) {
    schema['minimum'] ??= Number.MIN_SAFE_INTEGER;
    schema['maximum'] ??= Number.MAX_SAFE_INTEGER;
  }
}

function complete(schema: Record<string, unknown>): void {
  // Later versions may add fields: a client that validates must not reject them.
  if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
  if (!hasType(schema, 'integer')) return;
  const { minimum, maximum } = schema;
  const fits = typeof minimum === 'number' && typeof maximum === 'number' && minimum >= -(2 ** 31) && maximum < 2 ** 31;
  schema['format'] ??= fits ? 'int32' : 'int64';
}

export function completeSchemas(document: { paths?: object; components?: object }): void {
  for (const item of Object.values(document.paths ?? {}))
    for (const { parameters, requestBody } of Object.values(item as Record<string, Json>))
      for (const schema of schemasIn([parameters, requestBody])) bound(schema);
  for (const schema of schemasIn([document.paths, document.components?.['schemas' as never]])) complete(schema);
}
