import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { multipart } from '../support/multipart.ts';
import { isWithin, threadTime } from '../support/processor-time.ts';
import { exchange, openSocket, readToEnd, statusesIn } from '../support/raw-http.ts';
import { createProject } from '../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
let user: TestUser;
let project: number;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
  user = await app.createUser();
  project = await createProject(app, user);
});
afterAll(() => app.stop());

// After each attack the next request succeeds at little cost, and no prototype is polluted.
afterEach(async () => {
  const before = threadTime();
  expect((await app.as(user).get(`/api/projects/${project}`).expect(200)).body.data.name).toBe('Algebra');
  expect(threadTime() - before).toSatisfy(isWithin(1000));
  expect(Object.keys({})).toEqual([]);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

const bearer = (person: TestUser) => `Authorization: Bearer ${person.token}\r\n`;
const host = 'Host: localhost\r\n';
const json = 'Content-Type: application/json\r\n';

/** A complete request with a body. */
function post(path: string, body: string | Buffer, extraHeaders = '', person = user): Buffer {
  const head = `POST ${path} HTTP/1.1\r\n${host}${bearer(person)}${json}${extraHeaders}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}

function bodyIn(response: string): { success: boolean; error?: { code: string }; code?: string } {
  return JSON.parse(Buffer.from(response.slice(response.indexOf('\r\n\r\n') + 4), 'latin1').toString());
}

describe('request smuggling', () => {
  const inner = `GET /healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
  const start = `POST /api/auth/login HTTP/1.1\r\n${host}${json}`;
  test.each([
    ['a length and chunks', `${start}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`],
    ['chunks and a length', `${start}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${inner}`],
    ['two lengths', `${start}Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`],
    ['a list of lengths', `${start}Content-Length: 0, ${inner.length}\r\n\r\n${inner}`],
    ['a signed length', `${start}Content-Length: +${inner.length}\r\n\r\n${inner}`],
    ['a negative length', `${start}Content-Length: -1\r\n\r\n${inner}`],
    ['a hexadecimal length', `${start}Content-Length: 0x0\r\n\r\n${inner}`],
    ['a length out of range', `${start}Content-Length: 18446744073709551616\r\n\r\n${inner}`],
    ['an unknown coding', `${start}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`],
    ['chunked that is not last', `${start}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${inner}`],
    ['a space before the colon', `${start}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inner}`],
    ['a folded header', `${start}Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${inner}`],
    ['a chunk without a size', `${start}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n${inner}`],
    ['a chunk of too large a size', `${start}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n\r\n${inner}`],
    ['a bare line feed', `POST /api/auth/login HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n${inner}`],
    ['a carriage return in a header', `${start}X: a\rTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n${inner}`],
    ['no host', `GET /healthz HTTP/1.1\r\n\r\n${inner}`],
    ['another protocol', `GET /healthz HTTP/3.0\r\n${host}\r\n${inner}`],
    ['an unknown method', `GRAB /healthz HTTP/1.1\r\n${host}\r\n${inner}`],
    ['a tunnel', `CONNECT localhost:5432 HTTP/1.1\r\n${host}\r\n${inner}`],
  ])('%s gets at most one response, which is a 4xx', async (_what, bytes) => {
    const statuses = statusesIn(await exchange(app.origin, bytes));
    expect(statuses.length).toBeLessThanOrEqual(1);
    for (const status of statuses) expect(status).toSatisfy((code: number) => code >= 400 && code < 500);
  });
});

describe('oversized requests', () => {
  test.each([
    ['a header of 200 kB', `GET /healthz HTTP/1.1\r\n${host}Connection: close\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`],
    ['an address of 200 kB', `GET /healthz?${'x'.repeat(200_000)} HTTP/1.1\r\n${host}\r\n`],
    ['10,000 headers', `GET /healthz HTTP/1.1\r\n${host}${'x: y\r\n'.repeat(10_000)}\r\n`],
  ])('%s: 431', async (_what, bytes) => {
    for (const status of statusesIn(await exchange(app.origin, bytes))) expect(status).toBe(431);
  });

  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
  test.each<[string, string | Buffer]>([
    ['100 kB and a byte', `"${'x'.repeat(102_400)}"`],
    ['a megabyte', 'x'.repeat(1_000_000)],
    ['ten megabytes', Buffer.alloc(10_000_000)],
  ])('a body of %s: 413', async (_what, body) => {
    const response = await exchange(app.origin, post('/api/projects', body));
    expect(statusesIn(response)).toEqual([413]);
    expect(bodyIn(response)).toMatchObject({ success: false, error: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  test('a compressed body is decompressed up to the limit, and is what Content-Encoding says', async () => {
    for (const [encoding, status] of [
      ['gzip', 413],
      ['deflate', 400],
      ['br', 400],
      ['x', 400],
    ] as const) {
      const response = await exchange(app.origin, post('/api/projects', bomb, `Content-Encoding: ${encoding}\r\n`));
      expect([encoding, ...statusesIn(response)]).toEqual([encoding, status]);
      if (status === 400) expect(bodyIn(response)).toMatchObject({ error: { details: [{ field: 'body' }] } });
    }
  });

  test('a compressed body that decompresses to nothing ends', async () => {
    const nothing = Buffer.concat(Array.from({ length: 20_000 }, () => gzipSync('')));
    const ended = exchange(app.origin, post('/api/projects', nothing, 'Content-Encoding: gzip\r\n'));
    await expect(ended).rejects.toThrow('ECONNRESET');
  });

  test('a contact operation returns 400 in its own envelope', async () => {
    const response = await exchange(app.origin, post('/api/contact/submit', `{"name":"${'x'.repeat(200_000)}"}`));
    expect(statusesIn(response)).toEqual([400]);
    expect(bodyIn(response)).toMatchObject({ success: false, code: 'PAYLOAD_TOO_LARGE' });
    expect(bodyIn(response)).not.toHaveProperty('error');
  });

  test('the connection is reused after a rejected body', async () => {
    const socket = await openSocket(app.origin);
    const received = readToEnd(socket);
    const broken = `POST /api/projects HTTP/1.1\r\n${host}${bearer(user)}${json}Content-Length: 5\r\n\r\n{"a":`;
    socket.write(`${broken}${broken}GET /healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    expect(statusesIn(await received)).toEqual([400, 400, 200]);
  });

  test('without a token, a body announced with Expect: 100-continue is not requested', async () => {
    const head = `POST /api/projects HTTP/1.1\r\n${host}${json}Content-Length: 1000000\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`;
    const response = await exchange(app.origin, head);
    expect(statusesIn(response).at(-1)).toBe(401);
  });

  const nested = (times: number) => `{"name":${'['.repeat(times)}${']'.repeat(times)}}`;
  test.each([
    ['10,000 nested lists', nested(10_000)],
    ['40,000 nested lists', nested(40_000)],
    ['16,000 nested objects', `${'{"a":'.repeat(16_000)}1${'}'.repeat(16_000)}`],
    ['9,000 fields', JSON.stringify(Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`f${at}`, 1])))],
  ])('%s: 400', async (_what, body) => {
    const response = await exchange(app.origin, post('/api/projects', body));
    expect(statusesIn(response)).toEqual([400]);
    expect(response.length).toBeLessThan(5000);
  });

  test('12,000 ids: 400', async () => {
    const ids = Array.from({ length: 12_000 }, (_, at) => at + 1);
    for (const body of [
      { project_ids: ids, assigned_user_ids: [user.id] },
      { project_ids: [project], user_ids: ids, assign_type: 'add' },
    ]) {
      const response = await app.as(admin).post('/api/projects/batch-assign', body).expect(400);
      expect(response.text.length).toBeLessThan(5000);
    }
    await app.as(admin).put(`/api/projects/${project}`, { assigned_user_ids: ids }).expect(400);
  });

  test('300 concurrent requests: 200', async () => {
    const responses = await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        fetch(`${app.origin}/api/projects?page=${(at % 7) + 1}`, {
          headers: { Authorization: `Bearer ${user.token}` },
        }),
      ),
    );
    expect([...new Set(responses.map(({ status }) => status))]).toEqual([200]);
    await Promise.all(responses.map((response) => response.arrayBuffer()));
  });
});

test.each([
  ...['/.env', '/.git/config', '/package.json', '/src/server.ts', '/dist/src/server.js', '/data/secret', '/uploads/'],
  ...[
    '/docs/package.json/..%2f..%2f..%2fpackage.json',
    '/docs/..%5c..%5cpackage.json',
    '/achievements/..%2f..%2fpackage.json',
  ],
  ...[
    '/uploads/projects/..%2f..%2fpackage.json',
    '/uploads/projects/%00',
    '//etc/passwd',
    '/api/../package.json',
    '/admin',
    '/debug',
  ],
])('%s exposes no file', async (path) => {
  const response = await exchange(app.origin, `GET ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  expect(statusesIn(response)[0]).toBeOneOf([400, 404]);
  expect(bodyIn(response)).toMatchObject({ success: false });
  expect(response).not.toMatch(/node_modules|\bat \w+ \(|"dependencies"|root:/);
});

describe('contradictory requests', () => {
  test('no header, query or field overrides the method', async () => {
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      await app.as(user).post(`/api/projects/${project}`, {}).set(name, 'DELETE').expect(405);
      await app.as(user).get(`/api/projects/${project}`).set(name, 'DELETE').expect(200);
    }
    await app.as(user).post(`/api/projects/${project}?_method=DELETE`, { _method: 'DELETE' }).expect(405);
  });

  test('TRACE does not echo headers', async () => {
    const response = await exchange(
      app.origin,
      `TRACE /api/projects HTTP/1.1\r\n${host}${bearer(user)}X-Own: secret\r\nConnection: close\r\n\r\n`,
    );
    expect(statusesIn(response)).toEqual([405]);
    expect(response).not.toMatch(/secret|Bearer|message\/http/);
  });

  test.each([
    ['a request id', 'X-Request-Id', 'aaaaaaaa'],
    ['a language', 'Accept-Language', 'en'],
    ['an origin', 'Origin', 'https://evil.example'],
    ['a cookie', 'Cookie', 'captcha_id=a'],
    ['an idempotency key', 'Idempotency-Key', 'a'],
  ])('%s cannot split the response', async (_what, name, value) => {
    for (const breach of ['\r', '\n', '\r\n', '%0d%0a', '\\r\\n', '\x85', '\u00e5\u0098\u008a']) {
      const split = `${name}: ${value}${breach}X-Evil: 1${breach}${breach}<script>`;
      const response = await exchange(
        app.origin,
        `GET /api/contact/captcha HTTP/1.1\r\n${host}${split}\r\nConnection: close\r\n\r\n`,
      );
      const head = response.split('\r\n\r\n', 1)[0]?.toLowerCase() ?? '';
      expect(head).not.toMatch(/^x-evil|access-control-allow-origin|<script>/m);
      expect(response.split('HTTP/1.1 ').length).toBeLessThanOrEqual(2);
    }
  });

  test('prototypes cannot be polluted', async () => {
    const poison =
      '{"__proto__":{"polluted":1,"role":"admin"},"constructor":{"prototype":{"polluted":1}},"name":"Algebra"}';
    expect(statusesIn(await exchange(app.origin, post('/api/projects', poison)))).toEqual([201]);
    for (const query of [
      '__proto__[polluted]=1',
      '__proto__.polluted=1',
      'constructor[prototype][polluted]=1',
      '__proto__=1',
    ]) {
      await app.as(user).get(`/api/projects?${query}`).expect(200);
    }
    const fields = [
      '__proto__',
      '__proto__[polluted]',
      'constructor[prototype][polluted]',
      'toString',
      'hasOwnProperty',
    ];
    const form = multipart(
      { name: 'file', filename: 'a.csv', data: 'a\n1\n' },
      ...fields.map((name) => ({ name, data: '1' })),
    );
    const response = await fetch(`${app.origin}/api/sessions/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${user.token}`, 'Content-Type': form.type },
      body: new Uint8Array(form.body),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ success: false });
  });
});
