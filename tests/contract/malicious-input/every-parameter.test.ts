import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Described, named, readDocument } from '../../support/malicious-input/document.ts';
import {
  costlyHeaders,
  costlyParameters,
  invalidIds,
  isFreeText,
  isText,
  unknownIds,
} from '../../support/malicious-input/field-values.ts';
import { startTarget } from '../../support/malicious-input/target.ts';

let target: Awaited<ReturnType<typeof startTarget>>;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.stop());

const operations = await readDocument();
const queryOf = ({ parameters }: Described) => parameters.filter((parameter) => parameter.in === 'query');

/** What a parameter is valid with: the parameters that are required; a period has two ends, and students who are behind are those of a group. */
function companions(operation: Described, key: string): string {
  const parameters = queryOf(operation);
  const others = parameters.filter(({ name, required = false }) => required && name !== key);
  if (others.length > 0) return others.map((other) => `${other.name}=${target.validValue(operation, other)}&`).join('');
  const isPeriod = parameters.some(({ name }) => name === 'from');
  if (isPeriod && ['to', 'compare'].includes(key)) return 'from=2026-02-01&';
  if (isPeriod && key === 'other_from') return 'from=2026-02-01&other_to=2026-02-01&';
  if (isPeriod && key === 'other_to') return 'from=2026-02-01&other_from=2026-02-01&';
  if (isPeriod && key === 'from') return 'to=2026-02-01&';
  const group = parameters.find(({ name }) => name === 'group_id');
  return group !== undefined && key === 'state' ? `group_id=${target.validValue(operation, group)}&` : '';
}

describe('every malicious value of every query parameter, and every form of its key', () => {
  test.each(named(operations.filter((one) => queryOf(one).length > 0)))('%s', async (_name, operation) => {
    const path = target.pathOf(operation);
    const sent = operation.body === undefined ? {} : { body: JSON.stringify(operation.example) };
    const get = (query: string) => target.send(operation.method, `${path}?${query}`, sent);
    await target.forgetTerms();
    for (const parameter of queryOf(operation)) {
      const { name: key, schema } = parameter;
      const value = encodeURIComponent(target.validValue(operation, parameter));
      const required = companions(operation, key);
      const keys = [
        `${key}=${value}&${key}=${value}`,
        `${key}[]=${value}`,
        `${key}[0]=${value}`,
        `${key}[a][b]=${value}`,
      ];
      const texts = isText(schema) ? [`${key}=%00`, `${key}=a%00b`] : [];
      for (const query of [...keys, `${key}[__proto__]=1`, `${key}=${value}&${key}[$ne]=1`, ...texts]) {
        const { status, text } = await get(query);
        expect(status, `${query}: ${text}`).toBe(400);
        expect(text, query).toContain(`"field":"${key}"`);
      }
      for (const text of isFreeText(schema) ? costlyParameters : costlyParameters.slice(0, 1))
        await get(`${key}=${text}`);
      const unknown = `__proto__=1&constructor[prototype]=1&toString=1&${'x'.repeat(2000)}=1`;
      for (const query of [`${required}${key}=${value}`, `${required}${key}=${value}&${unknown}`])
        expect(await get(query), query).toMatchObject({ status: 200 });
    }
  });
});

describe('every malicious id', () => {
  test.each(named(operations.filter(({ path }) => path.includes('{id}'))))('%s', async (_name, operation) => {
    const statusFor = async (id: string) => {
      const path = operation.path.replace('{id}', id).replace(/\{\w+\}/, '1');
      return (await target.send(operation.method, path, operation.body && { body: '{}' })).status;
    };
    for (const id of invalidIds) expect(await statusFor(encodeURI(id).replaceAll('%25', '%')), id).toBe(400);
    const isNumber = operation.parameters.some(({ name, schema }) => name === 'id' && schema.type === 'integer');
    for (const id of unknownIds) expect(await statusFor(id), id).toBe(isNumber ? 404 : 400);
  });

  test('a path id of 9,000 digits returns 404, also with an Idempotency-Key', async () => {
    const path = `/api/projects/${'9'.repeat(9000)}/sessions`;
    const body = JSON.stringify({ started_at: '2026-02-01T08:00:00Z', duration_seconds: 60 });
    const { status } = await target.send('POST', path, { headers: { 'Idempotency-Key': 'long-path' }, body });
    expect(status).toBe(404);
  });
});

describe('every invalid token', () => {
  const closed = operations.filter(({ isPublic, path }) => !isPublic && path !== '/metrics');
  test.each(named(closed))('%s', async (_name, operation) => {
    const { token } = target.admin;
    const path = `${target.pathOf(operation)}?token=${token}&access_token=${token}`;
    const forged = `Bearer ${token.slice(0, -4)}AAAA`;
    for (const value of ['', token, `Basic ${token}`, forged, `Bearer ${token}, Bearer ${token}`, 'Bearer null']) {
      const headers = { Authorization: value, Cookie: `token=${token}; access_token=${token}` };
      const { status, authenticate } = await target.send(operation.method, path, { token: null, headers });
      const expected = value === '' ? /^Bearer$/ : /^Bearer error="invalid_token", error_description="[\w ]+"$/;
      expect([value, status, authenticate]).toEqual([value, 401, expect.stringMatching(expected)]);
    }
  });
});

describe('every costly header', () => {
  test.each(costlyHeaders)('%s', async (header, method, values) => {
    const path = method === 'PUT' ? `/api/projects/${target.project}` : '/api/projects';
    for (const value of values) {
      const headers = { [header]: Buffer.from(value).toString('latin1') };
      await target.send(method, path, method === 'GET' ? { headers } : { headers, body: '{}' });
      if (method === 'GET') await target.send('GET', '/api/contact/captcha', { headers });
    }
  });
});

describe('every operation, with unusual values of all headers and cookies at once', () => {
  const names = ['If-Match', 'If-None-Match', 'Idempotency-Key', 'X-Request-Id', 'Accept-Language', 'User-Agent'];
  const values = [
    '',
    '"',
    '１２３',
    'W/"9'.padEnd(400, '9'),
    'é\u0301\u202e',
    '%00%zz',
    "';--",
    '"1.1en", *, \ud83d\udca5',
  ];
  test.each(named(operations))('%s', async (_name, operation) => {
    const { token } = await target.app.createUser({ role: 'admin' }); // the operation may end the sign-in
    const path = operation.path.replace('{file}', 'first_record.svg').replace(/\{\w+\}/g, '999999999');
    for (const value of values) {
      const bytes = Buffer.from(value).toString('latin1');
      const cookies = ['studytrack', '__Host-studytrack', 'captcha_id', '__proto__'];
      const headers = Object.fromEntries([
        ...names.map((name) => [name, bytes]),
        ['Cookie', cookies.map((name) => `${name}=${bytes}`).join('; ')],
        ['Sec-Fetch-Site', 'same-origin'],
      ]);
      await target.send(operation.method, path, operation.body ? { token, headers, body: '{}' } : { token, headers });
    }
  });
});
