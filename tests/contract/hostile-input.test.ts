import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contactSettings, newAddress, submit } from '../support/contact.ts';
import type { Described, Parameter, Schema } from '../support/fuzz/document.ts';
import { readDocument } from '../support/fuzz/document.ts';
import { threadTime } from '../support/processor-time.ts';
import { createProject } from '../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let existing: Record<string, number>;
let calendarToken: string;
let cursor: string;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings });
  admin = await app.createUser({ role: 'admin' });
  const user = await app.createUser();
  const project = await createProject(app, user);
  const record = { started_at: '2026-02-01T08:00:00Z', duration_seconds: 600 };
  const session = await app.as(user).post(`/api/projects/${project}/sessions`, record).expect(201);
  const request = await submit(app);
  const group = await app.as(admin).post('/api/admin/groups', { name: 'Class 3b' }).expect(201);
  const hook = { url: 'https://example.invalid/', events: ['goal.reached'] };
  const webhook = await app.as(admin).post('/api/admin/webhooks', hook).expect(201);
  const calendar = await app.as(admin).post('/api/me/calendar').expect(200);
  calendarToken = new URL(calendar.body.data.secret_url).searchParams.get('token') ?? '';
  cursor = (await app.as(admin).get('/api/sync').expect(200)).body.data.next_cursor;
  existing = {
    '/api/projects': project,
    '/api/sessions': session.body.data.id,
    '/api/admin/users': user.id,
    '/api/admin/contact-requests': request.body.requestId,
    '/api/admin/groups': group.body.data.id,
    '/api/admin/webhooks': webhook.body.data.id,
  };
});
afterAll(() => app.stop());

const operations = await readDocument();
const name = ({ method, path }: Described) => `${method} ${path}`;
const queryOf = ({ parameters }: Described) => parameters.filter((parameter) => parameter.in === 'query');

const verb = ({ method }: Described) => method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'; // there are no others

function send(operation: Described, path: string, body?: unknown) {
  const request = app.as(admin)[verb(operation)](path).set('X-Forwarded-For', newAddress());
  return body === undefined ? request : request.set('Content-Type', 'application/json').send(JSON.stringify(body));
}

/** The path of an existing resource. */
function pathOf({ path }: Described): string {
  const id = existing[path.split('/{', 1)[0] ?? ''] ?? 0;
  return path.replace('{id}', String(id)).replace('{delivery_id}', '1').replace('{file}', 'first_record.svg');
}

const isRejected = (status: number) => status >= 400 && status < 500 && status !== 429;
const strings = ['\u0000', 'Algebra\u0000', '\ud800', 'lone \udc00 one', '\ud800'.repeat(3)];

function isText(schema: Schema): boolean {
  const types = [schema, ...(schema.anyOf ?? [])].flatMap((one) => one.type ?? []);
  return types.includes('string') && schema.format !== 'binary';
}

const bodies = operations.filter(({ body, isForm }) => body !== undefined && !isForm);
const texts = bodies.flatMap((operation) =>
  Object.entries(operation.body?.properties ?? {})
    .filter(([, schema]) => isText(schema))
    .map(([field]) => [name(operation), field, operation] as const),
);

describe('an invalid token', () => {
  const closed = operations.filter(({ isPublic, path }) => !isPublic && path !== '/metrics');
  test.each(closed.map((operation) => [name(operation), operation] as const))('%s', async (_name, operation) => {
    const { token } = admin;
    const forged = `${token.slice(0, -4)}AAAA`;
    for (const header of [
      undefined,
      '',
      token,
      `Basic ${token}`,
      `Bearer ${forged}`,
      `Bearer ${token}, Bearer ${token}`,
      'Bearer null',
    ]) {
      const path = `${pathOf(operation)}?token=${token}&access_token=${token}`;
      const request = app.anonymous[verb(operation)](path).set('Cookie', `token=${token}; access_token=${token}`);
      if (header !== undefined) request.set('Authorization', header);
      const response = await request.expect(401);
      expect(response.headers['www-authenticate']).toBe('Bearer');
    }
  });
});

describe('invalid text', () => {
  test.each(texts)('%s: NUL and lone surrogates in %s', async (_name, field, operation) => {
    for (const text of strings) {
      const response = await send(operation, pathOf(operation), { ...operation.example, [field]: text });
      expect(response.status, `${JSON.stringify(text)}: ${response.text}`).toSatisfy(isRejected);
    }
  });

  // Inputs for regular expressions that backtrack.
  const slow = ['a', 'a.', '@', 'a@a.', ' ', '\t', '-', '+86', '1', 'e\u0301', '\u200b', '0:', '免費'].map(
    (part) => `${part.repeat(60_000 / Buffer.byteLength(part))}!`,
  );
  test.each(texts)('%s: 60,000 bytes in %s are rejected quickly', async (_name, field, operation) => {
    for (const text of slow) {
      const before = threadTime();
      const response = await send(operation, pathOf(operation), { ...operation.example, [field]: text });
      expect(response.status, response.text).toBeLessThan(500);
      expect(threadTime() - before).toBeLessThan(1000);
    }
  });

  test.each(texts)('%s: the length of %s is limited in characters', async (_name, field, operation) => {
    const schema = operation.body?.properties?.[field] ?? {};
    const [{ minLength = 0, maxLength = 0 } = {}] = [schema, ...(schema.anyOf ?? [])].filter(
      (one) => one.maxLength !== undefined,
    );
    // Where the format is restricted as well, the longest text is not valid.
    if (maxLength === 0 || schema.format === 'email' || schema.format === 'uri') return;
    if (/zone|phone|^captcha$|current_password|^token$|^username$|_date$|_at$/.test(field)) return;
    const bodyFor = async (text: string) =>
      (await send(operation, pathOf(operation), { ...operation.example, [field]: text })).text;
    for (const character of ['x', '学', '🎈']) {
      for (const length of [minLength, maxLength])
        expect(await bodyFor(character.repeat(length))).not.toContain(`"field":"${field}"`);
      expect(await bodyFor(character.repeat(maxLength + 1))).toContain(`"field":"${field}"`);
      if (minLength > 1) expect(await bodyFor(character.repeat(minLength - 1))).toContain(`"field":"${field}"`);
    }
  });

  const queries = operations.flatMap((operation) =>
    queryOf(operation)
      .filter(({ schema }) => isText(schema))
      .map((parameter) => [name(operation), parameter.name, operation] as const),
  );
  test.each(queries)('%s: NUL in %s, and invalid UTF-8', async (_name, parameter, operation) => {
    for (const text of ['%00', 'a%00b']) {
      const response = await send(operation, `${pathOf(operation)}?${parameter}=${text}`);
      expect(response.status, response.text).toBe(400);
      expect(response.text).toContain(`"field":"${parameter}"`);
    }
    // Invalid UTF-8 is decoded as U+FFFD.
    for (const text of ['%ED%A0%80', '%ff', '%C0%80', '%', '%zz']) {
      expect((await send(operation, `${pathOf(operation)}?${parameter}=${text}`)).status).toBeLessThan(500);
    }
  });
});

describe('invalid numbers', () => {
  const withId = operations
    .filter(({ path }) => path.includes('{id}'))
    .map((operation) => [name(operation), operation] as const);
  test.each(withId)('%s: a path with an invalid or unknown id', async (_name, operation) => {
    const statusFor = async (id: string) =>
      (await send(operation, operation.path.replace('{id}', id).replace('{delivery_id}', '1'), operation.body && {}))
        .status;
    for (const id of [
      '0',
      '-1',
      '01',
      '1.0',
      '1e3',
      '0x1',
      '+1',
      '%31%00',
      '%20',
      '１',
      'NaN',
      'null',
      '1,2',
      '[1]',
      "1'--",
      '%ff',
    ]) {
      expect(await statusFor(encodeURI(id).replaceAll('%25', '%')), id).toBe(400);
    }
    const isNumber = operation.parameters.some(({ name, schema }) => name === 'id' && schema.type === 'integer');
    for (const id of [2 ** 31, 2 ** 32 + 1, 2 ** 53, 2n ** 63n, 2n ** 64n + 1n, 10n ** 30n, 10n ** 300n]) {
      expect(await statusFor(String(BigInt(id))), String(id)).toBe(isNumber ? 404 : 400);
    }
  });

  const numbers = bodies.flatMap((operation) =>
    Object.entries(operation.body?.properties ?? {})
      .filter(([, { type = '', items }]) => /integer|number/.test(`${type}${items?.type ?? ''}`))
      .map(([field, schema]) => [name(operation), field, operation, schema] as const),
  );
  test.each(numbers)('%s: %s with the wrong type, out of range or unknown', async (_name, field, operation, schema) => {
    for (const value of ['1', '', 'NaN', true, {}, [[]], 1e30, 1e308, -1e30, -1, 0.5, 1.0000001, 2 ** 53]) {
      const wrong = schema.items === undefined ? value : [value];
      const response = await send(operation, pathOf(operation), { ...operation.example, [field]: wrong });
      const isHours = /_hours$/.test(field) && typeof value === 'number' && value > 0 && value < 2;
      if (!isHours) expect(response.status, `${JSON.stringify(wrong)}: ${response.text}`).toSatisfy(isRejected);
    }
  });
});

describe('query keys that are repeated or in brackets', () => {
  const known = operations.flatMap((operation) =>
    queryOf(operation).map((parameter) => [name(operation), parameter.name, operation, parameter] as const),
  );
  test.each(known)('%s: %s', async (_name, key, operation, parameter) => {
    const value = encodeURIComponent(validValue(parameter));
    const forms = [
      `${key}=${value}&${key}=${value}`,
      `${key}[]=${value}`,
      `${key}[0]=${value}`,
      `${key}[a][b]=${value}`,
      `${key}[__proto__]=1`,
      `${key}=${value}&${key}[$ne]=1`,
    ];
    for (const form of forms) {
      const response = await send(operation, `${pathOf(operation)}?${form}`);
      expect(response.status, `${form}: ${response.text}`).toBe(400);
      expect(response.text).toContain(`"field":"${key}"`);
    }
    await send(operation, `${pathOf(operation)}?${key}=${value}`).expect(200);
    await send(
      operation,
      `${pathOf(operation)}?${key}=${value}&__proto__=1&constructor[prototype]=1&toString=1&${'x'.repeat(2000)}=1`,
    ).expect(200);
  });
});

/** A valid value of the parameter. */
function validValue({ name: key, schema }: Parameter): string {
  if (key === 'tz') return 'Asia/Shanghai';
  if (key === 'token') return calendarToken;
  if (key === 'since') return cursor;
  if (key === 'user_id') return String(existing['/api/admin/users']);
  const choice = schema.enum ?? schema.anyOf?.flatMap((part) => part.enum ?? []) ?? [];
  if (schema.format === 'date-time') return '2026-02-01T08:00:00Z';
  return choice[0] ?? (schema.type === 'integer' ? '1' : 'a');
}
