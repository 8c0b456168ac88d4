import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClaimReader } from '../../../../src/features/accounts/single-sign-on/identity-claims.ts';
import { createLogger } from '../../../../src/lib/log/logger.ts';

/** What a reader with a claim of groups, in which teachers are administrators, finds, and the claims that it logs as unknown. */
function read(claims: object, { name = 'groups', trustsAddresses = false } = {}) {
  const lines: { claim: string; reason: string }[] = [];
  const reader = createClaimReader({
    settings: { groupsClaim: name, adminClaim: { name, value: 'teachers' }, trustsAddresses },
    issuer: 'https://login.school.example',
    logger: createLogger('warn', { destination: { write: (line: string) => lines.push(JSON.parse(line)) } }),
  });
  const { groups, is_admin, email_verified, email, username, display_name } = reader.identityOf(
    { ...claims },
    'subject',
  );
  return { groups, is_admin, email_verified, email, username, display_name, logged: lines.map(({ reason }) => reason) };
}

type Form = readonly [name: string, write: (names: readonly string[]) => unknown];
/** How providers write a list of names. */
const known: readonly Form[] = [
  ['a list', (names) => [...names]],
  ['a list as JSON', (names) => JSON.stringify(names)],
  ['a list with spaces', (names) => names.map((name) => ` ${name} `)],
  ['a text for a single one', (names) => (names.length === 1 ? names[0] : names)],
];
/** What is not a list of names, from which nothing follows. */
const unknown: readonly (readonly [name: string, claim: unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['an empty text', ''],
  ['spaces', '  '],
  ['roles of Zitadel', { admin: { 1234: 'school.example' } }],
  ['groups of Authing', [{ code: '3b', name: 'Class 3b' }]],
  ['a list with a gap', ['3b', null]],
  ['lists within a list', [['3b']]],
  ['a list of Cognito as a text', '[3b, teachers]'],
  ['JSON that is no list', '[{"name":"3b"}]'],
  ['a text that cannot be stored', ['3b', 'x'.repeat(256)]],
];
const trueForms = [true, 'true', 'True', ' TRUE ', 1, '1', [true], ['true']];
const falseForms = [false, 'false', 'False', 0, '0', null, undefined, '', 'yes', 'unknown', 2, {}, [], [true, false]];

const group = fc.constantFrom(
  '3b',
  'teachers',
  '高一（2）班',
  'CN=3b,OU=Classes',
  '/school/3b',
  '12',
  'a; b',
  'Chor, groß',
);

test('whatever the form, names of groups are read as they are, or nothing is changed by them', () => {
  const given = fc.record({
    names: fc.uniqueArray(group, { maxLength: 5 }),
    form: fc.constantFrom(...known),
    other: fc.option(fc.constantFrom(...unknown), { freq: 2 }),
    verified: fc.constantFrom(...trueForms.map((form) => [form, true]), ...falseForms.map((form) => [form, false])),
    isNested: fc.boolean(),
    single: fc.boolean(),
  });
  fc.assert(
    fc.property(given, ({ names, form: [, write], other, verified: [form, is], isNested, single }) => {
      const claim = other === null ? write(names) : other[1];
      const named = isNested ? { realm_access: { roles: claim } } : { groups: claim };
      const texts = { email: 'lin@school.example', preferred_username: 'lin', name: '林' };
      const wrapped = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, single ? [text] : text]));
      const found = read(
        { ...named, ...wrapped, email_verified: form },
        { name: isNested ? 'realm_access.roles' : 'groups' },
      );
      expect(found).toMatchObject({
        ...{ email: texts.email, username: texts.preferred_username, display_name: texts.name, email_verified: is },
        ...(other === null
          ? { groups: names, is_admin: names.includes('teachers') }
          : { groups: undefined, is_admin: undefined }),
      });
      expect(found.logged).toHaveLength(other === null ? 0 : 2);
    }),
    { numRuns: 500 },
  );
});

test.each(unknown)('%s changes no membership and no role, and is logged', (_name, claim) => {
  const { groups, is_admin, logged } = read({ groups: claim });
  expect([groups, is_admin]).toEqual([undefined, undefined]);
  const reason = claim === undefined ? 'the provider sent no such claim' : 'the claim is not a list of texts';
  expect(logged).toEqual([reason, reason]);
});

test('an empty list is of somebody who has left all groups', () => {
  for (const claim of [[], '[]']) expect(read({ groups: claim })).toMatchObject({ groups: [], is_admin: false });
});

test('a reference of Entra is named in the log', () => {
  expect(read({ _claim_names: { groups: 'src1' } }).logged[0]).toBe(
    'the provider sent a reference instead of the claim',
  );
});

test('a claim whose name is an address is not taken for a path, and no path leads to what objects inherit', () => {
  expect(read({ 'https://school.example/groups': ['3b'] }, { name: 'https://school.example/groups' }).groups).toEqual([
    '3b',
  ]);
  for (const name of ['constructor.name', 'groups.length', '__proto__', 'groups.0.1'])
    expect([name, read({ groups: ['3b'] }, { name }).groups]).toEqual([name, undefined]);
});

test.each([
  [{ email: 'a@b.example', email_verified: true, groups: [] }, true],
  [{ email: 'a@b.example', xms_edov: '1', groups: [] }, true],
  [{ email: 'a@b.example', groups: [] }, false],
  [{ email_verified: true, groups: [] }, false],
  [{ email: 'a@b.example', email_verified: true }, false],
])('claims are complete, or the user information is asked for the rest: %j', (claims, isComplete) => {
  const settings = { groupsClaim: 'groups', adminClaim: undefined };
  const of = { issuer: 'https://login.school.example', logger: createLogger('silent') };
  const reader = (trustsAddresses: boolean) => createClaimReader({ settings: { ...settings, trustsAddresses }, ...of });
  expect(reader(false).isComplete(claims)).toBe(isComplete);
  expect(reader(true).isComplete({ ...claims, email_verified: undefined })).toBe(
    'email' in claims && 'groups' in claims,
  );
});
