import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Described, readDocument } from '../../support/malicious-input/document.ts';
import {
  costlyHeaders,
  costlyParameters,
  invalidIds,
  isText,
  type Probe,
  probesOf,
  unknownIds,
} from '../../support/malicious-input/field-values.ts';
import { type Reply, startTarget } from '../../support/malicious-input/target.ts';

let target: Awaited<ReturnType<typeof startTarget>>;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.stop());

const operations = await readDocument();
const named = (list: readonly Described[]) => list.map((one) => [`${one.method} ${one.path}`, one] as const);
const queryOf = ({ parameters }: Described) => parameters.filter((parameter) => parameter.in === 'query');
const withBody = operations.filter(({ body, isForm }) => body !== undefined && !isForm);

function expectVerdict(field: string, { json, verdict }: Probe, { status, text }: Reply): void {
  const what = `${field}: ${json.slice(0, 100)}: ${status} ${text.slice(0, 300)}`;
  const isRejected = status >= 400 && status < 500 && status !== 429;
  if (verdict === 'rejected') expect(isRejected, what).toBe(true);
  if (verdict === 'named') expect(text, what).toContain(`"field":"${field}"`);
  if (verdict === 'accepted') expect(text, what).not.toContain(`"field":"${field}"`);
}

describe('every class of malicious value in every field of a body does no harm', () => {
  test.each(named(withBody))('%s', async (_name, operation) => {
    const base = target.bases[operation.id];
    const { body: known, ...caller } = base ?? {};
    for (const [field, schema] of Object.entries(operation.body?.properties ?? {}))
      for (const probe of probesOf(field, schema)) {
        const { [field]: _replaced, ...rest } = { ...operation.example, ...known };
        const others = JSON.stringify(rest).slice(1, -1);
        const body = `{${others}${others === '' ? '' : ','}${JSON.stringify(field)}:${probe.json}}`;
        const reply = await target.send(operation.method, target.pathOf(operation), { ...caller, body });
        if (base !== undefined) await target.forgetFailures();
        expectVerdict(field, probe, reply);
      }
  });
});

describe('every class of malicious value in every field of the objects in a list, which the response names', () => {
  const lists = withBody.flatMap((operation) =>
    Object.entries(operation.body?.properties ?? {}).flatMap(([list, { items }]) =>
      items?.properties === undefined
        ? []
        : [[`${operation.method} ${operation.path} ${list}`, operation, list, items.properties] as const],
    ),
  );
  test('there are such lists', () => expect(lists).not.toEqual([]));
  test.each(lists)('%s', async (_name, operation, list, fields) => {
    const [first] = operation.example[list] as object[];
    for (const [field, schema] of Object.entries(fields))
      for (const probe of probesOf(field, schema)) {
        const { [field]: _replaced, ...rest } = { ...first } as Record<string, unknown>;
        const others = JSON.stringify(rest).slice(1, -1);
        const item = `{${others}${others === '' ? '' : ','}${JSON.stringify(field)}:${probe.json}}`;
        const reply = await target.send(operation.method, target.pathOf(operation), { body: `{"${list}":[${item}]}` });
        expectVerdict(`${list}[0].${field}`, probe, reply);
      }
  });
});

describe('a compressed body is rejected', () => {
  test.each(named(withBody))('%s', async (_name, operation) => {
    const marks = `a${'\u0301'.repeat(24_000)}${'\u0316'.repeat(24_000)}`;
    const fields = Object.keys(operation.body?.properties ?? {}).map((field) => [field, marks]);
    const body = gzipSync(JSON.stringify(Object.fromEntries(fields)));
    const headers = { 'Content-Encoding': 'gzip' };
    const { status } = await target.send(operation.method, target.pathOf(operation), { headers, body });
    expect([400, 403, 404]).toContain(status);
  });
});

/** What a parameter is valid with: a period has two ends, and students who are behind are those of a group. */
function companions(operation: Described, key: string): string {
  const parameters = queryOf(operation);
  const isPeriod = parameters.some(({ name, schema }) => name === 'from' && schema.format === 'date');
  if (isPeriod && ['to', 'compare'].includes(key)) return 'from=2026-02-01&';
  if (isPeriod && key === 'from') return 'to=2026-02-01&';
  const group = parameters.find(({ name }) => name === 'group_id');
  return group !== undefined && key === 'state' ? `group_id=${target.validValue(group)}&` : '';
}

describe('every malicious value of every query parameter, and every form of its key', () => {
  test.each(named(operations.filter((one) => queryOf(one).length > 0)))('%s', async (_name, operation) => {
    const path = target.pathOf(operation);
    const get = (query: string) => target.send(operation.method, `${path}?${query}`);
    for (const parameter of queryOf(operation)) {
      const { name: key, schema } = parameter;
      const value = encodeURIComponent(target.validValue(parameter));
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
      for (const text of costlyParameters) await get(`${key}=${text}`);
      const unknown = `__proto__=1&constructor[prototype]=1&toString=1&${'x'.repeat(2000)}=1`;
      for (const query of [`${required}${key}=${value}`, `${required}${key}=${value}&${unknown}`])
        expect((await get(query)).status, query).toBe(200);
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
      expect([value, status, authenticate]).toEqual([value, 401, 'Bearer']);
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
