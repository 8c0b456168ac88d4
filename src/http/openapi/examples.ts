import type { createDocument } from 'zod-openapi';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Schema = { readonly [key: string]: unknown };

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value composed of the examples in a schema; undefined when a required part has none. */
export function sample(schema: unknown, components: Readonly<Record<string, unknown>>): Json | undefined {
  if (!isSchema(schema)) return undefined;
  if (typeof schema['$ref'] === 'string')
    return sample(components[schema['$ref'].replace('#/components/schemas/', '')], components);
  for (const key of ['example', 'const', 'default'] as const) {
    if (key in schema) return schema[key] as Json; // the document is JSON
  }
  if (Array.isArray(schema['examples'])) return schema['examples'][0];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  for (const key of ['anyOf', 'oneOf'] as const) {
    if (Array.isArray(schema[key])) return sampleFirst(schema[key], components);
  }
  if (schema['type'] === 'array') {
    const item = sample(schema['items'], components);
    return item === undefined ? undefined : [item];
  }
  if (schema['type'] === 'object') return sampleObject(schema, components);
  return schema['type'] === 'boolean' ? false : undefined;
}

function sampleFirst(schemas: readonly unknown[], components: Readonly<Record<string, unknown>>): Json | undefined {
  const shown = schemas.filter((schema) => !isSchema(schema) || schema['type'] !== 'null');
  return shown.map((schema) => sample(schema, components)).find((value) => value !== undefined);
}

function sampleObject(schema: Schema, components: Readonly<Record<string, unknown>>): Json | undefined {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const entries: [string, Json][] = [];
  for (const [name, property] of Object.entries(properties)) {
    const value = sample(property, components);
    if (value !== undefined) entries.push([name, value]);
    else if (required.includes(name)) return undefined;
  }
  return Object.fromEntries(entries);
}

type Document = ReturnType<typeof createDocument>;

/** Adds an example to each JSON body of a request. Those of responses are composed by readers, from the same schemas. */
export function withExamples(document: Document): Document {
  const schemas = document.components?.schemas ?? {};
  for (const item of [...Object.values(document.paths ?? {}), ...Object.values(document.webhooks ?? {})]) {
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
      const body = operation?.requestBody;
      const json = body !== undefined && 'content' in body ? body.content['application/json'] : undefined;
      const example = json === undefined ? undefined : sample(json.schema, schemas);
      if (json === undefined || example === undefined) continue;
      json.example = example;
      if (json.schema !== undefined && 'example' in json.schema) delete json.schema.example; // said once
    }
  }
  return document;
}
