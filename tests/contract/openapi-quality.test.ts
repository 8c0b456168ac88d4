import { stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOpenApiDocument } from '../../src/http/openapi/document.ts';
import { sample } from '../../src/http/openapi/examples.ts';
import { projectRoot } from '../../src/project-root.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
let document: ReturnType<typeof createOpenApiDocument>;
beforeAll(async () => {
  app = await startTestApp();
  document = createOpenApiDocument(app.container.operations);
});
afterAll(() => app.stop());

const operations = () =>
  Object.entries(document.paths ?? {}).flatMap(([where, item]) =>
    Object.entries({ get: item.get, post: item.post, put: item.put, patch: item.patch, delete: item.delete }).flatMap(
      ([method, operation]) => (operation === undefined ? [] : [{ name: `${method} ${where}`, operation }]),
    ),
  );

/** Of a part or of the component that it refers to. */
function jsonOf(part: object | undefined) {
  const [, , kind = '', name = ''] = part !== undefined && '$ref' in part ? String(part.$ref).split('/') : [];
  const body = name === '' ? part : document.components?.[kind as 'responses']?.[name];
  return body !== undefined && 'content' in body ? (body as Body).content?.['application/json'] : undefined;
}
type Body = { content?: Record<string, { schema?: object; example?: unknown; examples?: unknown }> };

test('every JSON body has an example, and for every response one can be composed from its schemas', () => {
  const without = operations().flatMap(({ name, operation }) => {
    const body = jsonOf(operation.requestBody);
    const responses = Object.entries(operation.responses ?? {}).filter(([, response]) => {
      const json = jsonOf(response);
      const schemas = document.components?.schemas ?? {};
      return json !== undefined && json.examples === undefined && sample(json.schema, schemas) === undefined;
    });
    return [
      ...(body !== undefined && body.example === undefined ? [`${name} body`] : []),
      ...responses.map(([status]) => `${name} ${status}`),
    ];
  });
  expect(without).toEqual([]);
});

test('the document has less than 450 kB, because what operations share is a component', async () => {
  const { size } = await stat(path.join(projectRoot, 'docs/openapi.json'));
  expect(size).toBeLessThan(450_000);
});

test('no schema has a keyword of the libraries that write it', () => {
  expect(JSON.stringify(document)).not.toContain('"override"');
});

test('integers have true bounds, and enumerations that may grow say so', () => {
  const text = JSON.stringify(document);
  expect(text).not.toContain(String(Number.MIN_SAFE_INTEGER));
  expect(text, 'a count').not.toContain(`"minimum":0,"maximum":${Number.MAX_SAFE_INTEGER}`);
  expect(JSON.stringify(document.components?.schemas?.['ErrorCode'])).toContain('Later versions may add values.');
  expect(document.components?.schemas?.['Project']).toMatchObject({
    properties: { assigned_user_id: { deprecated: true } },
  });
});

type Schema = { $ref?: string; type?: string | string[]; format?: string; anyOf?: Schema[]; properties?: object };

/** The types of a schema with their formats, without null. */
function typesOf({ $ref, anyOf, type, format }: Schema): string[] {
  if ($ref !== undefined)
    return typesOf((document.components?.schemas?.[$ref.split('/').at(-1) ?? ''] ?? {}) as Schema);
  if (anyOf !== undefined) return anyOf.flatMap(typesOf);
  const types = [type ?? []].flat().filter((name) => name !== 'null');
  return types.map((name) => (name === 'string' && format !== undefined ? format : name));
}

test('fields are named as the introduction says, which has a rule for names, times, pages and versions', () => {
  for (const rule of ['Names', 'Times', 'Pages', 'Versions'])
    expect(document.info.description).toContain(`**${rule}.**`);
  const rules: readonly (readonly [name: RegExp, types: readonly string[]])[] = [
    [/_id$/, ['integer', 'uuid', 'string']],
    [/_at$/, ['date-time']],
    [/(_on|_date|^date)$/, ['date']],
    [/_(hours|minutes|seconds)$/, ['number', 'integer']],
    [/_count$/, ['integer']],
  ];
  const others = new Set<string>();
  JSON.stringify(document, (_key, value: Schema | null) => {
    for (const [name, field] of Object.entries(value?.type === 'object' ? (value.properties ?? {}) : {})) {
      const isSnake = /^[a-z0-9]+(_[a-z0-9]+)*$/.test(name);
      const [, types] = rules.find(([pattern]) => pattern.test(name)) ?? [];
      if (!isSnake || typesOf(field).some((type) => types?.includes(type) === false)) others.add(name);
    }
    return value;
  });
  expect([...others].sort()).toEqual(['adminNote', 'day_starts_at', 'requestId']);
});

test('no schema repeats what it says, which generators of clients reject', () => {
  const repeats: string[] = [];
  JSON.stringify(document, (key, value) => {
    if (value === null || typeof value !== 'object') return value;
    if (value.type === 'integer' && 'pattern' in value) repeats.push(`${key}: an integer has a pattern`);
    if ('anyOf' in value && 'type' in value) repeats.push(`${key}: alternatives beside a type`);
    if (value.default === null) repeats.push(`${key}: null by default`);
    return value;
  });
  expect(repeats).toEqual([]);
});

test('every operation documents its responses', () => {
  for (const { name, operation } of operations()) {
    const statuses = Object.keys(operation.responses ?? {});
    expect(
      statuses.some((status) => status.startsWith('2')),
      name,
    ).toBe(true);
    expect(statuses, name).toContain('500');
    const isUnlimited = /\/(healthz|readyz|metrics)$/.test(name);
    expect(statuses.includes('429'), name).toBe(!isUnlimited);
    const signedIn = (operation.security?.length ?? 0) > 0;
    if (signedIn) expect(statuses, name).toContain('401');
  }
});
