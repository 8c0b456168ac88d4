import type { Response, Test } from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOpenApiDocument } from '../../src/http/openapi/document.ts';
import type { Operation } from '../../src/http/operation.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let user: TestUser;
let document: ReturnType<typeof createOpenApiDocument>;
beforeAll(async () => {
  app = await startTestApp({ settings: { CONTACT_FLOOD_PER_MINUTE: '0' } });
  document = createOpenApiDocument(app.container.operations);
  admin = await app.createUser({ role: 'admin' });
  user = await app.createUser();
});
afterAll(() => app.stop());

type Failure = { name: string; status: number; send: () => Test };

/** The failures that can be caused for an operation regardless of what it does. */
function failuresOf(operation: Operation): Failure[] {
  const { method, access, path } = operation;
  const at = (id: string, query = '') => `${path.replace(/:\w+/g, id)}${query}`;
  const broken = () => as(admin)[method](at('999999999')).set('Content-Type', 'application/json').send('{"broken');
  const as = (caller?: TestUser) => app.as(access === 'public' ? undefined : caller);
  const hasId = path.includes(':id');
  const wrong = wrongFields(operation);
  const takesPage = 'page' in (operation.query?.shape ?? {});
  return [
    ...(access !== 'public'
      ? [{ name: 'without a token', status: 401, send: () => app.anonymous[method](at('1')) }]
      : []),
    ...(access === 'admin'
      ? [{ name: 'as an ordinary user', status: 403, send: () => as(user)[method](at('1')) }]
      : []),
    ...(hasId ? [{ name: 'with an invalid id', status: 400, send: () => as(admin)[method](at('x')) }] : []),
    ...(hasId && operation.upload === undefined
      ? [
          {
            name: 'for a missing resource',
            status: 404,
            send: () => withBody(as(admin)[method](at(missingId(operation)))),
          },
        ]
      : []),
    ...(takesPage && !hasId
      ? [
          {
            name: 'with an invalid page',
            status: 400,
            send: () => as(admin)[method](at('1', '?page=0&limit=x&page=2')),
          },
        ]
      : []),
    ...(operation.body !== undefined && !hasId && operation.upload === undefined
      ? [{ name: 'with a body that is not JSON', status: 400, send: broken }]
      : []),
    ...(Object.keys(wrong).length > 0 && !hasId && operation.upload === undefined
      ? [{ name: 'with fields of the wrong type', status: 400, send: () => as(admin)[method](at('1')).send(wrong) }]
      : []),
    ...(operation.upload !== undefined && !hasId
      ? [{ name: 'without a file', status: 400, send: () => as(admin)[method](at('1')) }]
      : []),
  ];
  function withBody(request: Test) {
    return operation.body === undefined ? request : request.send({});
  }
}

/** An unused id in the format that the operation takes. */
function missingId({ path, params }: Operation): string {
  const number = '999999999';
  const numbers = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, number]));
  return params?.safeParse(numbers).success === false ? '00000000-0000-4000-8000-000000000000' : number;
}

/** A body whose fields are all objects, which no field accepts. */
function wrongFields({ path, method }: Operation): object {
  const described = document.paths?.[path]?.[method];
  const body =
    described?.requestBody !== undefined && 'content' in described.requestBody ? described.requestBody : undefined;
  const example: object = body?.content['application/json']?.example ?? {};
  return Object.fromEntries(Object.keys(example).map((name) => [name, { of: 'a wrong type' }]));
}

type Texts = { codes: unknown; texts: string[] };

/** What must be the same in every language, and the texts. */
function read({ status, body }: Response): Texts {
  const details: { field: string; message?: string; msg?: string }[] = body.error?.details ?? body.errors ?? [];
  return {
    codes: [status, body.error?.code ?? body.code, details.map(({ field }) => field)],
    texts: [body.message, ...details.map(({ message, msg }) => message ?? msg ?? '')],
  };
}

test('every failure of every operation has the same code and a message in both languages', async () => {
  const failures = app.container.operations.flatMap((operation) =>
    failuresOf(operation).map((failure) => ({ ...failure, name: `${operation.id} ${failure.name}` })),
  );
  expect(failures.length).toBeGreaterThan(2 * app.container.operations.length);
  for (const { name, status, send } of failures) {
    const en = await send().set('Accept-Language', 'en');
    const zh = await send().set('Accept-Language', 'zh-CN,zh;q=0.9,en;q=0.1');
    expect(en.status, name).toBe(status);
    expect(read(zh).codes, name).toEqual(read(en).codes);
    for (const text of read(en).texts) expect(text, name).not.toMatch(/\p{Script=Han}/u);
    for (const text of read(zh).texts) expect(text, name).toMatch(/\p{Script=Han}/u);
  }
});

test.each([
  ['an unknown path', () => app.as(user).get('/api/nothing'), 404, 'RESOURCE_NOT_FOUND'],
  ['a known path with another method', () => app.as(user).put('/api/projects', {}), 405, 'METHOD_NOT_ALLOWED'],
  ['a path that cannot be decoded', () => app.as(user).get('/api/projects/%E0%A4%A'), 400, 'VALIDATION_ERROR'],
] as const)('%s', async (_name, send, status, code) => {
  const [en, zh] = [await send().set('Accept-Language', 'en'), await send().set('Accept-Language', 'zh')];
  expect([en.status, zh.status, en.body.error.code, zh.body.error.code]).toEqual([status, status, code, code]);
  expect(zh.body.message).toMatch(/\p{Script=Han}/u);
  expect(en.body.message).not.toMatch(/\p{Script=Han}/u);
});
