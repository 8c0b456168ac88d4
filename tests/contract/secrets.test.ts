import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const secretName = /token|password|secret|recovery/;

test('every operation whose response has a secret field declares it', () => {
  const undeclared = app.container.operations.flatMap(({ id, data, secrets = [] }) => {
    if (!(data instanceof z.ZodObject)) return [];
    const fields = Object.entries(z.toJSONSchema(data, { io: 'output', unrepresentable: 'any' }).properties ?? {});
    return fields
      .filter(([name, schema]) => secretName.test(name) && typeof schema === 'object' && !('const' in schema))
      .filter(([name, schema]) => typeof schema === 'object' && schema.type !== 'boolean' && !secrets.includes(name))
      .map(([name]) => `${id}: ${name}`);
  });
  expect(undeclared).toEqual([]);
});
