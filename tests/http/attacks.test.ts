import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { multipart } from '../support/multipart.ts';
import { threadTime } from '../support/processor-time.ts';
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

// Whatever was sent, the next one is answered, without much work, and no object of the process has grown anything.
afterEach(async () => {
  const before = threadTime();
  expect((await app.as(user).get(`/api/projects/${project}`).expect(200)).body.data.name).toBe('Algebra');
  expect(threadTime() - before).toBeLessThan(1000);
  expect(Object.keys({})).toEqual([]);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

const bearer = (person: TestUser) => `Authorization: Bearer ${person.token}\r\n`;
const host = 'Host: localhost\r\n';
const json = 'Content-Type: application/json\r\n';

/** A whole request with a body. */
function post(path: string, body: string | Buffer, more = '', person = user): Buffer {
  const head = `POST ${path} HTTP/1.1\r\n${host}${bearer(person)}${json}${more}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}

function bodyIn(answer: string): { success: boolean; error?: { code: string }; code?: string } {
  return JSON.parse(Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1').toString());
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
    ['a length beyond numbers', `${start}Content-Length: 18446744073709551616\r\n\r\n${inner}`],
    ['an unknown coding', `${start}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`],
    ['chunked that is not last', `${start}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${inner}`],
    ['a coding behind a blank', `${start}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inner}`],
    ['a folded header', `${start}Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${inner}`],
    ['a chunk of no size', `${start}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n${inner}`],
    ['a chunk of too large a size', `${start}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n\r\n${inner}`],
    ['a bare line feed', `POST /api/auth/login HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n${inner}`],
    ['a carriage return in a header', `${start}X: a\rTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n${inner}`],
    ['no host', `GET /healthz HTTP/1.1\r\n\r\n${inner}`],
    ['another protocol', `GET /healthz HTTP/3.0\r\n${host}\r\n${inner}`],
    ['an unknown method', `GRAB /healthz HTTP/1.1\r\n${host}\r\n${inner}`],
    ['a tunnel', `CONNECT localhost:5432 HTTP/1.1\r\n${host}\r\n${inner}`],
  ])('%s: one answer at most, and that a refusal', async (_what, bytes) => {
    const statuses = statusesIn(await exchange(app.origin, bytes));
    expect(statuses.length).toBeLessThanOrEqual(1);
    for (const status of statuses) expect(status).toSatisfy((code: number) => code >= 400 && code < 500);
  });
});

describe('too much', () => {
  test.each([
    ['a header of 200 kB', `GET /healthz HTTP/1.1\r\n${host}Connection: close\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`],
    ['an address of 200 kB', `GET /healthz?${'x'.repeat(200_000)} HTTP/1.1\r\n${host}\r\n`],
    ['10,000 headers', `GET /healthz HTTP/1.1\r\n${host}${'x: y\r\n'.repeat(10_000)}\r\n`],
  ])('%s', async (_what, bytes) => {
    for (const status of statusesIn(await exchange(app.origin, bytes))) expect(status).toBe(431);
  });

  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
  test.each<[string, string | Buffer]>([
    ['100 kB and a byte', `"${'x'.repeat(102_400)}"`],
    ['a megabyte', 'x'.repeat(1_000_000)],
    ['ten megabytes', Buffer.alloc(10_000_000)],
  ])('a body of %s', async (_what, body) => {
    const answer = await exchange(app.origin, post('/api/projects', body));
    expect(statusesIn(answer)).toEqual([413]);
    expect(bodyIn(answer)).toMatchObject({ success: false, error: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  test('a compressed body, however small, is rejected before it is inflated', async () => {
    for (const encoding of ['gzip', 'deflate', 'br', 'x']) {
      const answer = await exchange(app.origin, post('/api/projects', bomb, `Content-Encoding: ${encoding}\r\n`));
      expect(statusesIn(answer)).toEqual([400]);
      expect(bodyIn(answer)).toMatchObject({ error: { details: [{ field: 'body' }] } });
    }
  });

  test('on the contact side it is a 400 of that side', async () => {
    const answer = await exchange(app.origin, post('/api/contact/submit', `{"name":"${'x'.repeat(200_000)}"}`));
    expect(statusesIn(answer)).toEqual([400]);
    expect(bodyIn(answer)).toMatchObject({ success: false, code: 'PAYLOAD_TOO_LARGE' });
    expect(bodyIn(answer)).not.toHaveProperty('error');
  });

  test('the connection of a refused body that was read is used again', async () => {
    const socket = await openSocket(app.origin);
    const answers = readToEnd(socket);
    const broken = `POST /api/projects HTTP/1.1\r\n${host}${bearer(user)}${json}Content-Length: 5\r\n\r\n{"a":`;
    socket.write(`${broken}${broken}GET /healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    expect(statusesIn(await answers)).toEqual([400, 400, 200]);
  });

  test('without a token, a body announced with Expect: 100-continue is not requested', async () => {
    const head = `POST /api/projects HTTP/1.1\r\n${host}${json}Content-Length: 1000000\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`;
    const answer = await exchange(app.origin, head);
    expect(statusesIn(answer).at(-1)).toBe(401);
  });

  const nested = (times: number) => `{"name":${'['.repeat(times)}${']'.repeat(times)}}`;
  test.each([
    ['10,000 lists in each other', nested(10_000)],
    ['40,000 lists in each other', nested(40_000)],
    ['16,000 objects in each other', `${'{"a":'.repeat(16_000)}1${'}'.repeat(16_000)}`],
    ['9,000 fields', JSON.stringify(Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`f${at}`, 1])))],
  ])('%s', async (_what, body) => {
    const answer = await exchange(app.origin, post('/api/projects', body));
    expect(statusesIn(answer)).toEqual([400]);
    expect(answer.length).toBeLessThan(5000);
  });

  test('12,000 ids', async () => {
    const ids = Array.from({ length: 12_000 }, (_, at) => at + 1);
    for (const body of [
      { project_ids: ids, assigned_user_ids: [user.id] },
      { project_ids: [project], user_ids: ids, assign_type: 'add' },
    ]) {
      const answer = await app.as(admin).post('/api/projects/batch-assign', body).expect(400);
      expect(answer.text.length).toBeLessThan(5000);
    }
    await app.as(admin).put(`/api/projects/${project}`, { assigned_user_ids: ids }).expect(400);
  });

  test('300 at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, at) =>
        fetch(`${app.origin}/api/projects?page=${(at % 7) + 1}`, {
          headers: { Authorization: `Bearer ${user.token}` },
        }),
      ),
    );
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([200]);
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
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
])('%s is no file of ours', async (path) => {
  const answer = await exchange(app.origin, `GET ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  expect(statusesIn(answer)[0]).toBeOneOf([400, 404]);
  expect(bodyIn(answer)).toMatchObject({ success: false });
  expect(answer).not.toMatch(/node_modules|\bat \w+ \(|"dependencies"|root:/);
});

describe('contradictory requests', () => {
  test('no other method by a header, a query or a field', async () => {
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      await app.as(user).post(`/api/projects/${project}`, {}).set(name, 'DELETE').expect(405);
      await app.as(user).get(`/api/projects/${project}`).set(name, 'DELETE').expect(200);
    }
    await app.as(user).post(`/api/projects/${project}?_method=DELETE`, { _method: 'DELETE' }).expect(405);
  });

  test('TRACE does not echo headers', async () => {
    const answer = await exchange(
      app.origin,
      `TRACE /api/projects HTTP/1.1\r\n${host}${bearer(user)}X-Own: secret\r\nConnection: close\r\n\r\n`,
    );
    expect(statusesIn(answer)).toEqual([405]);
    expect(answer).not.toMatch(/secret|Bearer|message\/http/);
  });

  test.each([
    ['a name of a request', 'X-Request-Id', 'aaaaaaaa'],
    ['a language', 'Accept-Language', 'en'],
    ['an origin', 'Origin', 'https://evil.example'],
    ['a cookie', 'Cookie', 'captcha_id=a'],
    ['a key', 'Idempotency-Key', 'a'],
  ])('no header and no body of an answer by %s', async (_what, name, value) => {
    for (const breach of ['\r', '\n', '\r\n', '%0d%0a', '\\r\\n', '\x85', '\u00e5\u0098\u008a']) {
      const split = `${name}: ${value}${breach}X-Evil: 1${breach}${breach}<script>`;
      const answer = await exchange(
        app.origin,
        `GET /api/contact/captcha HTTP/1.1\r\n${host}${split}\r\nConnection: close\r\n\r\n`,
      );
      const lines = answer.split('\r\n\r\n', 1)[0]?.toLowerCase() ?? '';
      expect(lines).not.toMatch(/^x-evil|access-control-allow-origin|<script>/m);
      expect(answer.split('HTTP/1.1 ').length).toBeLessThanOrEqual(2);
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
    const answer = await fetch(`${app.origin}/api/sessions/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${user.token}`, 'Content-Type': form.type },
      body: new Uint8Array(form.body),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ success: false });
  });
});
