import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contactSettings, newAddress } from '../support/contact.ts';
import { type Described, readDocument, type Schema } from '../support/fuzz/document.ts';
import { watchEventLoop } from '../support/processor-time.ts';
import { createProject } from '../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

/** No request may block the event loop for longer than 50 ms; five times that, and three attempts, for slow machines. */
const longestBlock = 250;

let app: TestApp;
let admin: TestUser;
let project: number;
let user: TestUser;
const eventLoop = watchEventLoop();
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings });
  admin = await app.createUser({ role: 'admin' });
  user = await app.createUser();
  project = await createProject(app, user);
});
afterAll(async () => {
  eventLoop.stop();
  await app.stop();
});

const operations = await readDocument();

type Sent = { headers?: Record<string, string>; body?: string | Buffer };

/** Sends a request and returns its status; fails if every attempt blocks the event loop. */
async function send(method: string, path: string, sent: Sent = {}): Promise<number> {
  let blocked = 0;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    eventLoop.longest();
    const status = await sendOnce(method, path, sent);
    blocked = eventLoop.longest();
    if (blocked < longestBlock) return status;
  }
  throw new Error(`${method} ${path.slice(0, 100)}: the event loop was blocked for ${blocked} ms`);
}

async function sendOnce(method: string, path: string, { headers = {}, body }: Sent): Promise<number> {
  const response = await fetch(`${app.origin}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${admin.token}`,
      'X-Forwarded-For': newAddress(),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  expect(response.status, text.slice(0, 500)).toBeLessThan(500);
  expect(text.length).toBeLessThan(300_000);
  return response.status;
}

const pathOf = ({ path }: Described) =>
  path
    .replace('{id}', String(path.includes('/users/') ? user.id : project))
    .replace('{file}', 'first_record.svg')
    .replace(/\{\w+\}/g, 'x');

const repeated = (part: string, bytes: number) => part.repeat(Math.floor(bytes / Buffer.byteLength(part)));

/** For a field of at most `maximum` characters: far beyond the limit, just beyond it, and within the limit before normalising. */
function worstTexts(maximum: number): string[] {
  const marks = (number: number) => `a${'\u0301'.repeat(number)}${'\u0316'.repeat(number)}`;
  return [
    marks(22_000),
    marks(2 * maximum - 1),
    marks(15),
    '\ufdfa'.repeat(Math.min(4 * maximum, 30_000)),
    `${repeated('a@', 90_000)}`,
    `a@${repeated('a.', 90_000)}`,
    `a@${repeated('a.', Math.min(4 * maximum - 2, 90_000))}`,
    repeated('-', 90_000),
    ' '.repeat(4 * maximum),
    repeated('免費', 90_000),
    '9'.repeat(10_000),
  ];
}

const maximumOf = (schema: Schema): number =>
  Math.max(...[schema, ...(schema.anyOf ?? [])].map(({ maxLength = 0 }) => maxLength)) || 256;

const withBody = operations.filter(({ body, isForm }) => body !== undefined && !isForm);

describe('the worst known text, in each field of a body', () => {
  const fields = withBody.flatMap((operation) =>
    Object.entries(operation.body?.properties ?? {}).map(
      ([field, schema]) => [operation.id, field, operation, schema] as const,
    ),
  );
  test.each(fields)('%s: %s', async (_id, field, operation, schema) => {
    for (const text of worstTexts(maximumOf(schema))) {
      const body = JSON.stringify({ ...operation.example, [field]: text });
      await send(operation.method, pathOf(operation), { body });
    }
    const raw = (value: string) => `{"${field}":${value}}`;
    for (const value of [
      '9'.repeat(10_000),
      `1e${'9'.repeat(10_000)}`,
      `${'['.repeat(40_000)}${']'.repeat(40_000)}`,
      `[${'{},'.repeat(30_000)}{}]`,
      `{${Array.from({ length: 9000 }, (_, at) => `"${at}":1`).join()}}`,
    ])
      await send(operation.method, pathOf(operation), { body: raw(value) });
  });
});

describe('the worst known text, in each query parameter', () => {
  const parameters = operations.flatMap((operation) =>
    operation.parameters.filter((one) => one.in === 'query').map((one) => [operation.id, one.name, operation] as const),
  );
  test.each(parameters)('%s: %s', async (_id, parameter, operation) => {
    const marks = (number: number) => `a${'%CC%81'.repeat(number)}${'%CC%96'.repeat(number)}`;
    for (const value of [marks(1000), marks(90), '9'.repeat(10_000), '%EF%B7%BA'.repeat(1000), 'a@'.repeat(5000)])
      await send(operation.method, `${pathOf(operation)}?${parameter}=${value}`);
  });
});

describe('the worst headers', () => {
  const long = (part: string) => repeated(part, 12_000);
  test.each<[string, string, string[]]>([
    ['User-Agent', 'GET', [long('a'), long('('), long('é')]],
    ['Accept-Language', 'GET', [long('zh;q=0.1,'), long(','), long('a-'), `en${long(' ')}`]],
    ['Accept', 'GET', [long('a/b;q=0.1,'), `image/${long('a')}`]],
    ['If-None-Match', 'GET', [long('"a",'), long(','), long(' ')]],
    ['If-Match', 'PUT', [`"${'9'.repeat(10_000)}.1en"`, long('"1.')]],
    ['Idempotency-Key', 'POST', [long('a'), long(' a')]],
    ['X-Request-Id', 'GET', [long('a')]],
    ['X-Forwarded-For', 'GET', [long('1.1.1.1, '), long(','), long('::1,')]],
    ['Cookie', 'GET', [long('captcha_id;'), long('captcha_id=a;'), long(' ')]],
    ['Authorization', 'GET', [`Bearer ${long('a.')}`, `Bearer${' '.repeat(12_000)}a`, long('Bearer ')]],
    ['Content-Type', 'POST', [`application/json; charset=${long('a')}`, `application/json;${long(' ;')}`]],
  ])('%s', async (header, method, values) => {
    const path = method === 'PUT' ? `/api/projects/${project}` : '/api/projects';
    for (const value of values) {
      const headers = { [header]: Buffer.from(value).toString('latin1') };
      await send(method, path, method === 'GET' ? { headers } : { headers, body: '{}' });
      if (method === 'GET') await send('GET', '/api/contact/captcha', { headers });
    }
  });

  test('a path id of 9,000 digits returns 404, also with an Idempotency-Key', async () => {
    const path = `/api/projects/${'9'.repeat(9000)}/sessions`;
    const body = JSON.stringify({ started_at: '2026-02-01T08:00:00Z', duration_seconds: 60 });
    expect(await send('POST', path, { headers: { 'Idempotency-Key': 'long-path' }, body })).toBe(404);
  });
});

describe('a body that is small on the wire', () => {
  test.each(withBody.map((operation) => [operation.id, operation] as const))(
    '%s: compressed',
    async (_id, operation) => {
      const marks = `a${'\u0301'.repeat(24_000)}${'\u0316'.repeat(24_000)}`;
      const fields = Object.keys(operation.body?.properties ?? {}).map((field) => [field, marks]);
      const body = gzipSync(JSON.stringify(Object.fromEntries(fields)));
      const status = await send(operation.method, pathOf(operation), { headers: { 'Content-Encoding': 'gzip' }, body });
      expect([400, 403, 404]).toContain(status);
    },
  );
});
