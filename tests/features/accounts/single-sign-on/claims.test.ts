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
  const logged = lines.map(({ reason }) => reason);
  const unread = lines.map(({ claim }) => claim);
  return { groups, is_admin, email_verified, email, username, display_name, logged, unread };
}

/** A single text may be a list of names if it has separators outside of a name of LDAP. */
const isSeveral = (text = '') => /[,;]/.test(text) && !text.startsWith('CN=');
type Form = readonly [name: string, write: (names: readonly string[]) => unknown];
/** How providers write a list of names. */
const known: readonly Form[] = [
  ['a list', (names) => [...names]],
  ['a list as JSON', (names) => JSON.stringify(names)],
  ['a list with spaces', (names) => names.map((name) => ` ${name} `)],
  ['a text for a single one', (names) => (names.length === 1 && !isSeveral(names[0]) ? names[0] : names)],
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
  ['JSON that is an object', '{"name":"3b"}'],
  ['null as a text', 'null'],
  ['one text that may be several names', '3b, teachers'],
  ['one text with semicolons', 'teachers;3b'],
  ['a group with its id', { id: 7, name: '3b' }],
  ['a list of groups and texts', ['3b', { id: 7, name: 'teachers' }]],
  ['a text that cannot be stored', ['3b', 'x'.repeat(256)]],
];
const trueForms = [true, 'true', 'True', ' TRUE ', 1, '1', [true], ['true']];
const falseForms = [false, 'false', 'False', 0, '0', [false]];
/** From which nothing follows, so that the address counts as not verified. */
const unknownForms = [null, undefined, '', 'yes', 'unknown', 2, {}, [], [true, false]];

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
    verified: fc.constantFrom<[form: unknown, is: boolean, isKnown: boolean][]>(
      ...trueForms.map((form): [unknown, boolean, boolean] => [form, true, true]),
      ...falseForms.map((form): [unknown, boolean, boolean] => [form, false, true]),
      ...unknownForms.map((form): [unknown, boolean, boolean] => [form, false, false]),
    ),
    isNested: fc.boolean(),
    single: fc.boolean(),
  });
  fc.assert(
    fc.property(given, ({ names, form: [, write], other, verified: [form, is, isKnown], isNested, single }) => {
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
      expect(found.logged).toHaveLength((other === null ? 0 : 2) + (isKnown ? 0 : 1));
    }),
    { numRuns: 500 },
  );
});

test.each(unknown)('%s changes no membership and no role, and is logged', (_name, claim) => {
  const { groups, is_admin, logged } = read({ groups: claim, email_verified: true });
  expect([groups, is_admin]).toEqual([undefined, undefined]);
  const reason = claim === undefined ? 'the provider sent no such claim' : 'the claim is not a list of texts';
  expect(logged).toEqual([reason, reason]);
});

test.each([true, false, [true, '3b'], '[true]'])('a boolean is no group: %j', (claim) => {
  expect(read({ groups: claim }).groups).toBeUndefined();
});

test.each([
  ['teachers', true],
  ['CN=3b,OU=Classes', false],
  ['3b, 3c', false],
  ['3b, teachers', undefined],
  [12, false],
])('the claim %j tells whether somebody is an administrator: %j', (claim, expected) => {
  expect(read({ groups: claim }).is_admin).toBe(expected);
});

/** Claims of a person whose groups and address are known: what is read, and the names of the claims that are logged. */
test.each<[object, object, string[]]>([
  [{ email: ['lin@school.example'] }, { email: 'lin@school.example' }, []],
  [{ email: ['lin@school.example', 'lin@home.example'] }, { email: undefined }, ['email']],
  [{ email: 7 }, { email: undefined }, ['email']],
  [{ email: null }, { email: undefined }, []],
  [{ email_verified: {} }, { email_verified: false }, ['email_verified']],
  [{ email_verified: undefined, xms_edov: 'maybe' }, { email_verified: false }, ['xms_edov']],
  [{ email_verified: undefined }, { email_verified: false }, ['email_verified']],
  [{ email_verified: false, xms_edov: '1' }, { email_verified: true }, []],
  [{ preferred_username: { name: 'lin' } }, { username: undefined }, ['preferred_username']],
  [{ preferred_username: 'x'.repeat(256) }, { username: undefined }, ['preferred_username']],
  [{ name: 'Lin Wei', given_name: 'A', family_name: 'B' }, { display_name: 'Lin Wei' }, []],
  [{ given_name: 'Wei', family_name: 'Lin' }, { display_name: 'Wei Lin' }, []],
  [{ name: '', given_name: '伟', family_name: '林' }, { display_name: '林伟' }, []],
  [{ name: null, given_name: 'Wei' }, { display_name: 'Wei' }, []],
  [{ name: null, family_name: null }, { display_name: undefined }, []],
  [{ name: { formatted: 'Lin' }, family_name: 'Lin' }, { display_name: 'Lin' }, ['name']],
  [{ locale: 7, zoneinfo: 'Nowhere/Else', roles: [{}] }, {}, []],
])('of %j nothing unknown is used, and it is logged', (claims, expected, unread) => {
  const found = read({ email: 'lin@school.example', email_verified: true, groups: ['3b'], ...claims });
  expect(found).toMatchObject({ groups: ['3b'], ...expected });
  expect(found.unread).toEqual(unread);
});

test('an empty list is of somebody who has left all groups', () => {
  for (const claim of [[], '[]']) expect(read({ groups: claim })).toMatchObject({ groups: [], is_admin: false });
});

test('a reference of Entra is named in the log', () => {
  expect(read({ _claim_names: { groups: 'src1' }, email_verified: true }).logged[0]).toBe(
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
