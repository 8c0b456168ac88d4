import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOpenApiDocument } from '../../src/http/openapi/document.ts';
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
    Object.entries({ get: item.get, post: item.post, put: item.put, delete: item.delete }).flatMap(
      ([method, operation]) => (operation === undefined ? [] : [{ name: `${method} ${where}`, operation }]),
    ),
  );

test('every JSON body and response has an example', () => {
  const without = operations().flatMap(({ name, operation }) =>
    [['body', operation.requestBody] as const, ...Object.entries(operation.responses ?? {})].flatMap(([part, body]) => {
      const json = body !== undefined && 'content' in body ? body.content?.['application/json'] : undefined;
      const shown = json === undefined || json.example !== undefined || json.examples !== undefined;
      return shown ? [] : [`${name} ${part}`];
    }),
  );
  expect(without).toEqual([]);
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
