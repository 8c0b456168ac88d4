import type { Schema } from './document.ts';

/**
 * One value of a field, as JSON text. `rejected`: with a 4xx. `named`: the response names the field. `accepted`: it does
 * not, whatever else the response says. Of the others only that they do no harm.
 */
export type Probe = { json: string; verdict?: 'rejected' | 'named' | 'accepted' };

const partsOf = (schema: Schema): Schema[] => [schema, ...(schema.anyOf ?? [])];
export const isText = (schema: Schema): boolean =>
  schema.format !== 'binary' && partsOf(schema).some(({ type }) => [type].flat().includes('string'));
export const isFreeText = (schema: Schema): boolean =>
  isText(schema) && partsOf(schema).every((part) => part.enum === undefined);
/** Takes neither a list nor an object. */
const isSimple = (schema: Schema): boolean =>
  partsOf(schema).every(
    ({ type, anyOf }) => anyOf !== undefined || (type !== undefined && !/array|object/.test(`${type}`)),
  );
const isNumber = ({ type = '', items }: Schema) => /integer|number/.test(`${type}${items?.type ?? ''}`);

const repeated = (part: string, bytes: number) => part.repeat(Math.floor(bytes / Buffer.byteLength(part)));
const marks = (number: number) => `a${'\u0301'.repeat(number)}${'\u0316'.repeat(number)}`;

/** Not text: NUL and lone surrogates. */
const invalidTexts = ['\u0000', 'Algebra\u0000', '\ud800', 'lone \udc00 one', '\ud800'.repeat(3)];

/** As long as codes and numbers are, in characters or bytes, but of other digits and letters. */
const otherDigits = ['é23456', '１２３４５６', '٠١٢٣٤٥', '😀23456', '-- --', '123456', '\u00a0١-٢\u2009'];

/** For regular expressions that backtrack. */
const repeatedTexts = ['a', 'a.', '@', 'a@a.', ' ', '\t', '-', '+86', '1', 'e\u0301', '\u200b', '0:', '免費'].map(
  (part) => `${repeated(part, 60_000)}!`,
);

/** Far beyond the limit, just beyond it, and within the limit before normalisation, with combining marks and ligatures. */
const costlyTexts = (maximum: number) => [
  ...[marks(22_000), marks(2 * maximum - 1), marks(15), '\ufdfa'.repeat(Math.min(4 * maximum, 30_000))],
  ...[repeated('a@', 90_000), `a@${repeated('a.', 90_000)}`, `a@${repeated('a.', Math.min(4 * maximum, 90_000))}`],
  ...[repeated('-', 90_000), ' '.repeat(4 * maximum), repeated('免費', 90_000), '9'.repeat(10_000)],
];

/** As JSON text, because they are not values in JavaScript. */
const costlyNumbers = ['9'.repeat(10_000), `1e${'9'.repeat(10_000)}`];
const costlyLists = [
  ...[`${'['.repeat(40_000)}${']'.repeat(40_000)}`, `[${'{},'.repeat(30_000)}{}]`],
  `{${Array.from({ length: 9000 }, (_, at) => `"${at}":1`).join()}}`,
];

const notNumbers = ['1', '', 'NaN', true, {}, [[]], 1e30, 1e308, -1e30, -1, 0.5, 1.0000001, 2 ** 53];

/** Fields with a restricted format, whose longest text is not valid. */
const restricted = /zone|phone|^captcha$|current_password|^token$|^otp$|^username$|^from$|^to$|_date$|_at$/;

/** Texts of exactly the shortest and longest length in characters, and of one character less and more. */
function lengthProbes(field: string, schema: Schema): Probe[] {
  const { minLength = 0, maxLength = 0 } = partsOf(schema).find((part) => part.maxLength !== undefined) ?? {};
  if (maxLength === 0 || schema.format === 'email' || schema.format === 'uri' || restricted.test(field)) return [];
  return ['x', '学', '🎈'].flatMap((character): Probe[] => {
    const text = (length: number) => JSON.stringify(character.repeat(length));
    return [
      { json: text(minLength), verdict: 'accepted' },
      { json: text(maxLength), verdict: 'accepted' },
      { json: text(maxLength + 1), verdict: 'named' },
      ...(minLength > 1 ? [{ json: text(minLength - 1), verdict: 'named' as const }] : []),
    ];
  });
}

/** Of another type than any that the schema names, and of a choice what is almost one of its values. */
function typeProbes(schema: Schema): Probe[] {
  const parts = partsOf(schema);
  const types = parts.flatMap(({ type = [] }) => type);
  if (types.length === 0) return [];
  const samples = { null: null, boolean: true, string: 'not a value', array: [[]], object: { $ne: 1 } };
  const others = Object.entries(samples).filter(
    ([type]) => !types.includes(type) && !(type === 'null' && !isFlag(schema)),
  );
  const near = parts
    .flatMap((part) => part.enum ?? [])
    .flatMap((one) => [one.toUpperCase(), ` ${one}`, `${one}\u0000`]);
  const values = [
    ...others.map(([, value]) => value),
    ...(isFlag(schema) ? [0, 1, 'true', ''] : []),
    ...near,
    ...(near.length > 0 ? ['', 'toString', '__proto__'] : []),
  ];
  return values.map((value) => ({ json: JSON.stringify(value), verdict: 'rejected' }));
}
const isFlag = (schema: Schema) => partsOf(schema).some(({ type }) => [type].flat().includes('boolean'));

/** Every class of malicious value for a field of a body. */
export function probesOf(field: string, schema: Schema): Probe[] {
  const maximum = Math.max(...partsOf(schema).map(({ maxLength = 0 }) => maxLength)) || 256;
  // A field that takes no free text, or no list or object, rejects it by its type alone.
  const texts = [...otherDigits, ...(isFreeText(schema) ? [...repeatedTexts, ...costlyTexts(maximum)] : [])];
  const numbers = notNumbers.map((value): Probe => {
    const isHours = /_hours$/.test(field) && typeof value === 'number' && value > 0 && value < 2;
    const json = JSON.stringify(schema.items === undefined ? value : [value]);
    return isHours ? { json } : { json, verdict: 'rejected' };
  });
  return [
    ...(isText(schema) ? invalidTexts.map((text): Probe => ({ json: JSON.stringify(text), verdict: 'rejected' })) : []),
    ...(isText(schema) ? lengthProbes(field, schema) : []),
    ...typeProbes(schema),
    ...(isNumber(schema) ? numbers : []),
    ...texts.map((text) => ({ json: JSON.stringify(text) })),
    ...[...costlyNumbers, ...(isSimple(schema) ? [] : costlyLists)].map((json) => ({ json })),
  ];
}

/** Of a parameter of text in the query, percent-encoded. */
export const costlyParameters = [
  ...[1000, 90].map((number) => `a${'%CC%81'.repeat(number)}${'%CC%96'.repeat(number)}`),
  ...['9'.repeat(10_000), '%EF%B7%BA'.repeat(1000), 'a@'.repeat(5000)],
  ...['%ED%A0%80', '%ff', '%C0%80', '%', '%zz'], // invalid UTF-8 is decoded as U+FFFD
];

export const invalidIds = [
  ...['0', '-1', '01', '1.0', '1e3', '0x1', '+1', '%31%00', '%20', '１', 'NaN', 'null', '1,2', '[1]', "1'--", '%ff'],
];
export const unknownIds = [2 ** 31, 2 ** 32 + 1, 2 ** 53, 2n ** 63n, 2n ** 64n + 1n, 10n ** 30n, 10n ** 300n].map(
  (id) => String(BigInt(id)),
);

const long = (part: string) => repeated(part, 12_000);
/** By name: the method of a request that reads the header, and its values. */
export const costlyHeaders: [string, 'GET' | 'PUT' | 'POST', string[]][] = [
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
];
