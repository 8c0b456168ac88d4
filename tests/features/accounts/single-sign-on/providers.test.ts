import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  type ClaimSettings,
  createClaimReader,
} from '../../../../src/features/accounts/single-sign-on/identity-claims.ts';
import { nameFor } from '../../../../src/features/accounts/single-sign-on/identity-names.ts';
import { createLogger } from '../../../../src/lib/log/logger.ts';
import { projectRoot } from '../../../../src/project-root.ts';

type Expected = {
  email_verified: boolean;
  username: string;
  groups?: string[] | undefined;
  is_admin?: boolean | undefined;
};
type Case = { claims: object; settings?: Partial<ClaimSettings>; expected: Expected };
const withGroups = { groupsClaim: 'groups' };

/** Claims of the form that each provider of docs/single-sign-on.md sends, with the settings that it names. */
const providers: Readonly<Record<string, Case>> = {
  'Google Workspace': {
    claims: {
      email: 'lin.wei@school.example',
      email_verified: true,
      name: 'Lin Wei',
      given_name: 'Lin',
      hd: 'school.example',
    },
    settings: withGroups,
    expected: { email_verified: true, username: 'lin.wei', groups: undefined },
  },
  'Microsoft Entra': {
    claims: {
      oid: '7f3c0c1e-0000-4000-8000-4b3c9d2f1a00',
      preferred_username: 'lin.wei@school.example',
      email: 'lin.wei@school.example',
      xms_edov: '1',
      roles: ['admin'],
      _claim_names: { groups: 'src1' },
      _claim_sources: { src1: { endpoint: 'https://graph.windows.net/users/getMemberObjects' } },
    },
    settings: { ...withGroups, adminClaim: { name: 'roles', value: 'admin' } },
    expected: { email_verified: true, username: 'lin.wei', groups: undefined, is_admin: true },
  },
  Keycloak: {
    claims: {
      email: 'lin@school.example',
      email_verified: true,
      preferred_username: 'lin',
      groups: ['3b', 'teachers'],
      realm_access: { roles: ['offline_access'] },
    },
    settings: { ...withGroups, adminClaim: { name: 'groups', value: 'teachers' } },
    expected: { email_verified: true, username: 'lin', groups: ['3b', 'teachers'], is_admin: true },
  },
  Authentik: {
    claims: {
      email: 'lin@school.example',
      email_verified: false,
      preferred_username: 'lin',
      nickname: 'lin',
      groups: ['3b'],
    },
    settings: withGroups,
    expected: { email_verified: false, username: 'lin', groups: ['3b'] },
  },
  Authelia: {
    claims: {
      email: 'lin@school.example',
      email_verified: true,
      alt_emails: [],
      preferred_username: 'lin',
      groups: ['3b'],
      amr: ['pwd', 'otp', 'mfa'],
    },
    settings: withGroups,
    expected: { email_verified: true, username: 'lin', groups: ['3b'] },
  },
  'AD FS': {
    claims: { upn: 'lin@school.local', unique_name: 'SCHOOL\\lin', email: 'lin@school.example', group: '3b' },
    settings: { groupsClaim: 'group', trustsAddresses: true },
    expected: { email_verified: true, username: 'lin', groups: ['3b'] },
  },
  DingTalk: {
    claims: { email: 'wangfang@school.example', email_verified: 'true', preferred_username: '王芳', name: '王芳' },
    expected: { email_verified: true, username: 'wangfang' },
  },
  WeCom: {
    claims: { email: '', email_verified: 'false', preferred_username: 'WangFang', name: '王芳', department: [1, 12] },
    settings: { groupsClaim: 'department' },
    expected: { email_verified: false, username: 'WangFang', groups: ['1', '12'] },
  },
};

test.each(Object.entries(providers))('claims of %s', (_name, { claims, settings, expected }) => {
  const reader = createClaimReader({
    settings: { groupsClaim: undefined, adminClaim: undefined, trustsAddresses: false, ...settings },
    issuer: 'https://login.school.example',
    logger: createLogger('silent'),
  });
  const { email, email_verified, groups, is_admin, ...identity } = reader.identityOf({ ...claims }, 'subject');
  const username = nameFor({ ...identity, email, email_verified, groups, is_admin }, email ?? '');
  expect({ email_verified, username, groups, is_admin }).toEqual({
    groups: undefined,
    is_admin: undefined,
    ...expected,
  });
});

test.each([
  ['SCHOOL\\lin', 'lin'],
  ['SCHOOL\\lin@school.example', 'lin'],
  ['lin@school.example', 'lin'],
  ['LIN.WEI', 'LIN.WEI'],
  ['Lin Wei', 'LinWei'],
  ["O'Brien", 'OBrien'],
  ['ｌｉｎ', 'from.address'],
  ['lin...', 'lin'],
  ['...', 'from.address'],
  ['🙂🙂🙂🙂', 'from.address'],
  ['lin_gmail.com#EXT#@school.example', 'from.address'],
  ['x'.repeat(200), 'x'.repeat(32)],
  ['ab', 'from.address'],
])('the user name %j becomes %j', (username, expected) => {
  const told = { issuer: '', subject: '', email: undefined, email_verified: true, display_name: undefined };
  const identity = { ...told, username, groups: undefined, is_admin: undefined };
  expect(nameFor(identity, 'from.address@school.example')).toBe(expected);
});

test('the document has a row for each of these providers, and no other', () => {
  const text = readFileSync(path.join(projectRoot, 'docs/single-sign-on.md'), 'utf8');
  const table = text.slice(text.indexOf('## What each provider sends'), text.indexOf('## When it fails'));
  const rows = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell.replace(', through a bridge', ''));
  expect(rows.slice(2)).toEqual(Object.keys(providers));
});
