import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from './document.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export const kinds = [
  'project',
  'project_name',
  'session',
  'user',
  'student',
  'username',
  'request',
  'group',
  'refresh',
] as const;
/** The kinds of values that requests take from earlier responses. */
export type Kind = (typeof kinds)[number] | 'captcha' | 'captcha_id';

/** A placeholder for a value that is only known when the request is sent. */
export type Known = { $known: Kind; back: number };
export type File = { $file: 'picture' | 'records' | 'junk' };

/** A recent value of a kind; mostly one of the latest, which probably still exists. */
export function known(kind: Kind): Arbitrary<Known> {
  const back = fc.oneof({ weight: 4, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.nat(60) });
  return back.map((at) => ({ $known: kind, back: at }));
}

const zones = ['UTC', 'Asia/Shanghai', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu', 'Antarctica/Troll'];
const words = [
  'Linear algebra',
  '线性代数',
  'Größe',
  'a%b_c\\d',
  "it's",
  '🎈🎈',
  'x',
  '"quoted", text',
  '<b>bold</b>',
  '﷽',
];
const first = Date.parse('2001-01-01T00:00:00Z');

const moment = fc
  .oneof(fc.integer({ min: 0, max: 25 * 365 * 24 * 60 }), fc.constantFrom(12_000_000, 13_100_000))
  .map((minutes) => new Date(first + minutes * 60_000).toISOString());

/** Mostly a user whom other requests do not delete. */
const student = fc.oneof({ weight: 6, arbitrary: known('student') }, { weight: 1, arbitrary: known('user') });

/** Values of fields whose meaning is not in the schema. */
const byName: Readonly<Record<string, Arbitrary<Json>>> = {
  project_id: known('project'),
  project_ids: fc.array(known('project'), { maxLength: 4 }),
  user_id: known('user'),
  user_ids: fc.array(student, { maxLength: 4 }),
  assigned_user_id: fc.oneof(student, fc.constant(null)),
  assigned_user_ids: fc.array(student, { maxLength: 4 }),
  contact_request_id: known('request'),
  group_id: known('group'),
  group_ids: fc.array(known('group'), { maxLength: 2 }),
  add: fc.array(student, { maxLength: 4 }),
  remove: fc.array(student, { maxLength: 4 }),
  actor: known('user'),
  target_id: known('user'),
  creator: fc.oneof(known('user'), fc.constantFrom('me', 'all')),
  refresh_token: known('refresh'),
  captcha: known('captcha'),
  captcha_id: known('captcha_id'),
  email: fc.nat(1_000_000).map((number) => `fuzz${number}@example.org`),
  phone: fc.constantFrom('13800138000', '+86 138-0013-8000', null),
  password: fc.constant('a good password'),
  current_password: fc.constant('a good password'),
  new_password: fc.constant('a good password'),
  timezone: fc.constantFrom(...zones),
  time_zone: fc.constantFrom(...zones),
  tz: fc.constantFrom(...zones),
  file: fc.constantFrom('.svg', 'first_record.svg'),
};

function textOf({ minLength = 0, maxLength = 200 }: Schema): Arbitrary<string> {
  const fill = (unit: string) => unit.repeat(maxLength);
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...words).filter((word) => [...word].length >= minLength) },
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) }) },
    { weight: 1, arbitrary: fc.constantFrom(fill('x'), fill('学'), fill('🎈'), 'x'.repeat(Math.max(1, minLength))) },
  );
}

/** Values that match a schema and are mostly meaningful to the service. */
export function valid(schema: Schema, name: string): Arbitrary<Json | Known | File> {
  const named = byName[name];
  if (schema.format === 'binary') return fc.constant({ $file: name === 'image' ? 'picture' : 'records' });
  if (named !== undefined) return named;
  if (name === 'username' && schema.pattern === undefined) return known('username');
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((part) => valid(part, name)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1000, name === 'page' ? 4 : 1e9) });
    case 'number':
      return fc.integer({ min: (schema.minimum ?? 0) * 100, max: (schema.maximum ?? 1000) * 100 }).map((n) => n / 100);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valid(schema.items ?? {}, ''), { maxLength: 4 });
    case 'object':
      return objectOf(schema);
    default:
      if (schema.format === 'date-time') return moment;
      return schema.pattern === undefined ? textOf(schema) : fc.stringMatching(new RegExp(schema.pattern));
  }
}

function objectOf({ properties = {}, required = [] }: Schema): Arbitrary<Json> {
  const fields = Object.entries(properties).map(([name, schema]) => [name, valid(schema, name)] as const);
  const requiredKeys = [...required, ...alwaysPresent].filter(
    (name) => name in properties && !('assigned_user_id' in properties),
  );
  return fc
    .record(Object.fromEntries(fields), { requiredKeys })
    .map((body) => consistent(body as Record<string, Json>));
}

/** Without these, almost every request would be rejected. */
const alwaysPresent = [
  'captcha_id',
  'duration_seconds',
  'user_ids',
  'assigned_user_ids',
  'assign_type',
  'username',
  'password',
];

/** Removes contradictory fields, whose rejection other requests already cover. */
function consistent(given: Record<string, Json>): Json {
  const { ended_at, email, assigned_user_ids, assign_type, user_ids, ...body } = given;
  const isLogin = 'password' in body && 'username' in body && !('timezone' in body) && !('role' in body);
  const isBatch = Array.isArray(body['project_ids']);
  const byType = isBatch && assigned_user_ids?.toString().length !== 0;
  return {
    ...body,
    ...(ended_at !== undefined && !('duration_seconds' in body) && { ended_at }),
    ...(email !== undefined && !isLogin && { email }),
    ...(assigned_user_ids !== undefined && !byType && { assigned_user_ids }),
    ...(byType && { assign_type: assign_type ?? 'add', user_ids: user_ids ?? [] }),
  };
}
