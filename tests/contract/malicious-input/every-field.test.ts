import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Described, readDocument } from '../../support/malicious-input/document.ts';
import {
  costlyHeaders,
  costlyParameters,
  invalidIds,
  isFreeText,
  isText,
  type Probe,
  probesOf,
  unknownIds,
} from '../../support/malicious-input/field-values.ts';
import { type Reply, type Sent, startTarget } from '../../support/malicious-input/target.ts';
import { multipart } from '../../support/multipart.ts';

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

const textOf = (json: string): string => {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
};
/** For fields of a form that hold JSON. */
const jsonProbes: Probe[] = [
  ...['{"__proto__":{"a":1}}', '{"constructor":1}', '{"":""}', '{"P":1e400}', '{"P":9007199254740993}', '{"P":-1}'],
  ...['{"P":"\\u0000"}', '{"P":"\\ud800"}', '{"note":"\\u0000"}', '{"start":"started_at","end":"started_at"}'],
  ...['[]', '{}', 'null', '"', '{"P":null,"P":1}', `{${'"a":'.repeat(300)}1${'}'.repeat(300)}`, '[['.repeat(900)],
].map((json) => ({ json: JSON.stringify(json) }));

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

const isNoItem = ({ verdict }: Probe) => verdict === 'rejected' || verdict === 'named';

describe('every class of malicious value as an item of a list', () => {
  const lists = withBody.flatMap((operation) =>
    Object.entries(operation.body?.properties ?? {}).flatMap(([list, { items }]) =>
      items === undefined || items.properties !== undefined
        ? []
        : [[`${operation.method} ${operation.path} ${list}`, operation, list, items] as const],
    ),
  );
  test.each(lists)('%s', async (_name, operation, list, items) => {
    const { [list]: _replaced, ...rest } = operation.example;
    const others = JSON.stringify(rest).slice(1, -1);
    for (const probe of probesOf(list, items)) {
      const body = `{${others}${others === '' ? '' : ','}${JSON.stringify(list)}:[${probe.json}]}`;
      const { status, text } = await target.send(operation.method, target.pathOf(operation), { body });
      if (isNoItem(probe)) expect(status, `${body.slice(0, 200)}: ${text.slice(0, 200)}`).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('every class of malicious text in every field of a form', () => {
  const forms = operations.filter(({ isForm }) => isForm);
  const fieldsOf = ({ body }: Described) => Object.entries(body?.properties ?? {});
  const fields = forms.flatMap((operation) =>
    fieldsOf(operation).flatMap(([field, schema]) =>
      schema.format === 'binary' ? [] : [[`${operation.path} ${field}`, operation, field, schema] as const],
    ),
  );
  test('there are such fields', () => expect(fields).not.toEqual([]));
  test.each(fields)('%s', async (_name, operation, field, schema) => {
    const [file = ''] = fieldsOf(operation).find(([, { format }]) => format === 'binary') ?? [];
    const data = 'project_name,started_at,ended_at\nP,2026-02-01T08:00:00Z,2026-02-01T09:00:00Z\n';
    const probes = [...probesOf(field, schema), ...jsonProbes].map(({ json }) => textOf(json));
    for (const text of new Set(probes)) {
      const form = multipart({ name: field, data: text }, { name: file, filename: 'x.csv', data });
      const headers = { 'Content-Type': form.type };
      await target.send(operation.method, target.pathOf(operation), { headers, body: form.body });
    }
  });

  test.each(forms.map((operation) => [operation.path, operation] as const))(
    'names and repeated fields: %s',
    async (_path, operation) => {
      const names = [
        '',
        '__proto__',
        'constructor',
        'toString',
        'a[b][c]',
        `a${'[b]'.repeat(30)}`,
        '\u0000',
        'é'.repeat(40),
      ];
      for (const name of [...names, ...fieldsOf(operation).map(([field]) => field)]) {
        const form = multipart({ name, data: '1' }, { name, data: '2' }, { name: `${name}[]`, data: '3' });
        const reply = await target.send(operation.method, target.pathOf(operation), {
          headers: { 'Content-Type': form.type },
          body: form.body,
        });
        expect(reply.status, name).toBeGreaterThanOrEqual(400);
      }
    },
  );
});

describe('a compressed body is rejected as it would be without compression', () => {
  test.each(named(withBody))('%s', async (_name, operation) => {
    const marks = `a${'\u0301'.repeat(24_000)}${'\u0316'.repeat(24_000)}`;
    const fields = Object.keys(operation.body?.properties ?? {}).map((field) => [field, marks]);
    const plain = JSON.stringify(Object.fromEntries(fields));
    const sendBody = (sent: Sent) => target.send(operation.method, target.pathOf(operation), sent);
    const { status } = await sendBody({ headers: { 'Content-Encoding': 'gzip' }, body: gzipSync(plain) });
    if (fields.length > 0) expect([400, 403, 404, 413]).toContain(status);
    expect(status).toBe((await sendBody({ body: plain })).status);
  });
});

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
