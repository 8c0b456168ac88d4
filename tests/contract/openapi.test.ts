import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryData } from '../../src/features/integrations/webhooks/webhook-events.ts';
import { createOpenApiDocument } from '../../src/http/openapi/document.ts';
import { projectRoot } from '../../src/project-root.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
let document: ReturnType<typeof createOpenApiDocument>;
beforeAll(async () => {
  app = await startTestApp();
  document = createOpenApiDocument(app.container.operations, { webhooks: deliveryData });
});
afterAll(() => app.stop());

test('docs/openapi.json is up to date (otherwise: npm run openapi)', async () => {
  const stored = await readFile(path.join(projectRoot, 'docs/openapi.json'), 'utf8');
  expect(JSON.parse(stored)).toEqual(JSON.parse(JSON.stringify(document)));
});

test('the document is valid OpenAPI 3.1 and is the one served', async () => {
  expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true });
  const served = await fetch(`${app.origin}/openapi.json`);
  expect(((await served.json()) as typeof document).paths).toEqual(JSON.parse(JSON.stringify(document.paths)));
});

test('operation ids are unique, and every operation has a described tag', () => {
  const operations = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item ?? {}));
  const ids = operations.map((operation) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = new Set(document.tags?.map(({ name }) => name));
  expect(
    operations.filter((operation) => !tags.has(operation.tags?.[0])).map(({ operationId }) => operationId),
  ).toEqual([]);
});

type Layer = {
  match(path: string): boolean;
  route?: { path: string; methods: Record<string, boolean> };
  handle: { stack?: Layer[] };
};

/** `GET /api/projects/{id}` for every route that Express has mounted, at any depth. */
function mountedRoutes(layers: readonly Layer[], prefixes: readonly string[], prefix = ''): string[] {
  return layers.flatMap(({ route, handle, match, ...layer }) => {
    if (route !== undefined) {
      const where = `${prefix}${route.path}`.replace(/:(\w+)/g, '{$1}').replace(/(?<=.)\/$/, '');
      return Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${where}`);
    }
    if (handle.stack === undefined) return [];
    // Express does not store the path a router is mounted at; it can only be matched.
    const here = prefixes.filter((candidate) => match.call(layer, candidate));
    const mountedAt = here.length === prefixes.length ? '' : (here[0] ?? '/unknown');
    return mountedRoutes(handle.stack, prefixes, prefix + mountedAt);
  });
}

test('the document describes exactly the mounted routes', () => {
  const documented = Object.entries(document.paths ?? {}).flatMap(([where, item]) =>
    Object.keys(item ?? {}).map((method) => `${method.toUpperCase()} ${where}`),
  );
  const prefixes = [...new Set(documented.map((route) => /\/api\/[^/]+|\/\w+/.exec(route)?.[0] ?? ''))];
  const { stack } = app.app.router as unknown as { stack: Layer[] }; // Express internals
  const mounted = mountedRoutes(stack, prefixes).filter((route) => !route.startsWith('_ALL'));
  // Pages and images are not operations.
  const pages = ['GET /openapi.json', 'GET /docs', 'GET /docs/init.js', 'GET /uploads/projects/{name}'];
  pages.push('GET /.well-known/change-password');
  expect(mounted.filter((route) => !pages.includes(route)).sort()).toEqual(documented.sort());
});
