import type { Schema } from './document.ts';
import type { Json } from './values.ts';

const nines = '9'.repeat(30);

export const nastyTexts: readonly string[] = [
  ...[
    '',
    ' ',
    '\r\n',
    '%',
    '\\',
    'null',
    'NaN',
    '1e3',
    '0x10',
    '٣',
    '１',
    '-1',
    '0',
    '1.5',
    '[1]',
    '{"a":1}',
    nines,
    `-${nines}`,
  ],
  ...['\u0000', 'a\u0000b', '\ud800', 'x\udfff', '\uffff', '\u202e', '💥'.repeat(300), 'x'.repeat(5000)],
  ...["' OR 1=1 --", '__proto__', 'a@b', `${'a'.repeat(300)}@example.org`, 'Etc/Unknown', '/etc/localtime'],
  ...['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', '2026-02-29T00:00:00Z', '2026-02-01T00:00:60Z'],
];

const nastyNumbers = [0, -1, -0, 0.5, 1e-7, 2 ** 31, 2 ** 32 + 1, 2 ** 53, -(2 ** 53), 1e30, 1e308, 5e-324];

export const nastyValues: readonly Json[] = [
  ...[null, true, false, [], {}, [[]], [null], [{}], [1, 1, 1], [nines]],
  ...[{ $ne: 1 }, { length: -1 }, { toString: 1 }, 'x'.repeat(70_000), Array.from({ length: 1001 }, (_, at) => at + 1)],
  ...nastyNumbers,
  ...nastyTexts,
];

/** Values just outside the limits of a schema. */
export function beyond({ minimum, maximum, minLength = 0, maxLength, maxItems, anyOf = [], pattern }: Schema): Json[] {
  return [
    ...(minimum === undefined ? [] : [minimum - 1, minimum - 0.01]),
    ...(maximum === undefined ? [] : [maximum + 1, maximum + 0.01]),
    ...(minLength === 0 ? [] : ['字'.repeat(minLength - 1)]),
    ...(maxLength === undefined ? [] : ['🎈'.repeat(maxLength + 1), `${'a\u0301'.repeat(maxLength)}b`]),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, (_, at) => at + 1)]),
    ...(pattern === undefined ? [] : ['no match for it', '\n']),
    ...anyOf.flatMap(beyond),
  ];
}

export const nastyIds: readonly string[] = [
  ...['0', '-1', '01', '1.0', '1e3', '0x10', '2147483648', '9007199254740993', nines, '9'.repeat(4000), 'null', 'NaN'],
  ...[
    '%00',
    '%ff',
    '%',
    '%zz',
    '%2e%2e%2f',
    '..',
    '%0d%0a',
    '%F0%9F%98%80',
    '%31',
    '__proto__',
    "1'--",
    '1;a=b',
    '[1]',
    '1,2',
  ],
];

export const pathAlterations: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => path.toUpperCase(),
  (path) => `/${path}`,
  (path) => `${path}/more`,
  (path) => path.replace('/api', '/api/..'),
  (path) => `${path}%00`,
  (path) => `${path};x=1`,
  () => '/uploads/projects/%2e%2e/%2e%2e/package.json',
  () => '/docs/%2e%2e/package.json',
  () => '/api/contact/nothing',
  () => '/%',
  () => '*',
];

const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);

/** Bytes in place of JSON, or functions that change them. */
export const nastyBytes: readonly (string | Buffer | ((bytes: Buffer) => Buffer))[] = [
  ...[
    '',
    ' ',
    '{',
    '}',
    'nul',
    '"text"',
    '[]',
    '1e400',
    '{"id":1,}',
    "{'id':1}",
    '\ufeff{}',
    '{}{}',
    '{"a":1e999}',
    '\u0000',
  ],
  ...[
    '{"name":"first","name":"second"}',
    '{"name":"\\ud800"}',
    '{"name":"\\u0000\\u0000"}',
    '{"__proto__":{"role":"admin"}}',
  ],
  ...[
    deep('[', ']', 20_000),
    deep('{"name":', '}', 10_000),
    `{"name":${deep('[', ']', 5_000)}}`,
    `{"name":"${'x'.repeat(120_000)}"}`,
  ],
  ...[Buffer.from([0xff, 0xfe, 0x7b]), Buffer.from('{"name":"\xe9t\xe9"}', 'latin1')],
  (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2)),
  (bytes) => Buffer.concat([bytes, bytes]),
  (bytes) => Buffer.concat([Buffer.alloc(1), bytes]),
  (bytes) => Buffer.from(bytes.map((byte, at) => (at % 37 === 36 ? byte ^ 0x80 : byte))),
];

export const nastyTypes: readonly string[] = [
  ...['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/vnd.api+json', 'a', '', ';'],
  ...['application/json; charset=utf-16', 'application/json; charset=\u00e9', 'application/json/json'],
  ...['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=x'],
];

export const nastyTokens: readonly string[] = [
  ...['', 'Bearer', 'Bearer ', 'Bearer x', 'Bearer a.b.c', 'Bearer null', 'Bearer \u00e9', 'bearer\tx', 'Basic YTpi'],
  ...[`Bearer ${'x'.repeat(5000)}`, 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
];

export const headerNames: readonly string[] = [
  ...['If-Match', 'If-None-Match', 'If-Modified-Since', 'Idempotency-Key', 'X-Request-Id', 'X-HTTP-Method-Override'],
  ...[
    'Accept',
    'Accept-Language',
    'Accept-Encoding',
    'Range',
    'Cookie',
    'User-Agent',
    'X-Forwarded-Proto',
    'Origin',
    'Via',
  ],
];

export const nastyHeaders: readonly string[] = [
  ...[
    '',
    '*',
    '""',
    '"1"',
    'W/"1.1en"',
    '"1.1en"',
    `"${nines}.1en"`,
    'x'.repeat(600),
    'a b',
    '\u00e9\u00ff',
    ', ,',
    'null',
  ],
  ...['DELETE', 'image/*', 'bytes=0-1', 'captcha_id=%zz; captcha_id=x', 'zh;q=x, *;q=2', "';--"],
];
