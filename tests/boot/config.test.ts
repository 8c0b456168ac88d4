import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { misspelledSettings } from '../../src/boot/load-config.ts';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { defaultFolder, settingsSchema } from '../../src/config/settings.ts';

describe('TRUST_PROXY', () => {
  const trusted = (text: string) => readConfig({ TRUST_PROXY: text }).http.trustProxy;

  test.each([
    ['0', 0],
    ['1', 1],
    ['5', 5],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['127.0.0.1, ::1,192.168.0.0/16', ['127.0.0.1', '::1', '192.168.0.0/16']],
    ['fc00::/7,fd00::/8,2001:db8::/32', ['fc00::/7', 'fd00::/8', '2001:db8::/32']],
    ['', []],
  ])('%j is accepted', (text, expected) => {
    expect(trusted(text)).toEqual(expected);
  });

  test.each([
    ...['0.0.0.0/0', '::/0', '0.0.0.0/1,128.0.0.0/1', '10.0.0.1/7', '2000::/3', 'fc00::/6', '::ffff:0:0/96'],
    ...['0::FFFF:0:0/96', '::ffff:10.0.0.1', '6', '99', '10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/8/8'],
    ...['10.0.0', '1.2.3.4.5', '10.0.0.0/255.0.0.0', 'all', 'true', 'fe80::1%eth0', '-1'],
  ])('%j is rejected with a one-line message', (text) => {
    expect(() => trusted(text)).toThrow(/^TRUST_PROXY: [^\n]+$/);
  });
});

test.each([
  [{ PORT: 'eighty' }, 'PORT: must be a whole number from 0 to 65535'],
  [{ PORT: ' ' }, 'PORT: must be a whole number from 0 to 65535'],
  [{ PORT: '65536' }, 'PORT: must be a whole number from 0 to 65535'],
  [{ WEB_CONCURRENCY: '0' }, 'WEB_CONCURRENCY: must be a whole number from 1 to 64'],
  [{ WEB_CONCURRENCY: '1.5' }, 'WEB_CONCURRENCY: must be a whole number from 1 to 64'],
  [{ MAX_TIMER_HOURS: '25' }, 'MAX_TIMER_HOURS: must be a number of hours above 0, at most 24'],
  [{ MAX_TIMER_HOURS: 'NaN' }, 'MAX_TIMER_HOURS: must be a number of hours above 0, at most 24'],
  [{ REQUIRE_OTP: 'yes' }, 'REQUIRE_OTP: must be one of none, admin, all'],
  [{ OIDC_ADMIN_CLAIM: 'teachers' }, 'OIDC_ADMIN_CLAIM: must name a claim and its value, such as groups=teachers'],
  [{ OIDC_SCOPE: 'email' }, 'OIDC_SCOPE: must contain openid'],
  [{ PASSWORD_SIGN_IN: 'off' }, 'PASSWORD_SIGN_IN=off requires OIDC_ISSUER: nobody could sign in'],
  [
    { OIDC_ISSUER: 'https://login.example.org', OIDC_CLIENT_ID: 'x' },
    'OIDC_ISSUER requires OIDC_CLIENT_SECRET, PUBLIC_URL',
  ],
  [
    {
      ...{ OIDC_ISSUER: 'http://login.example.org', OIDC_CLIENT_ID: 'x' },
      OIDC_CLIENT_SECRET: 'x',
      PUBLIC_URL: 'http://x',
    },
    'OIDC_ISSUER must begin with https://: tokens would cross the network unencrypted',
  ],
  [{ SITE_NAME: 'x'.repeat(61) }, 'SITE_NAME: must have at most 60 characters'],
  [{ ACCOUNT_RETENTION_DAYS: '179', SMTP_URL: 'smtp://localhost' }, 'ACCOUNT_RETENTION_DAYS must be 0 or at least 180'],
  [{ ACCOUNT_RETENTION_DAYS: '365' }, 'ACCOUNT_RETENTION_DAYS requires SMTP_URL: a mail announces the deactivation'],
  [{ NODE_ENV: 'prod' }, 'NODE_ENV: must be one of development, test, production'],
  [{ PUBLIC_URL: 'study.example.org' }, 'PUBLIC_URL: must be an address such as https://study.example.org'],
  [{ SECURITY_CONTACT: 'me@example.org' }, 'SECURITY_CONTACT: must be mailto:name@example.org or an https:// address'],
  [
    { SECURITY_CONTACT: 'https://x\nCanonical: y' },
    'SECURITY_CONTACT: must be mailto:name@example.org or an https:// address',
  ],
])('%o is rejected with a clear message', (settings, line) => {
  expect(() => readConfig(settings)).toThrow(new ConfigError([line]));
});

test('a name of spaces is absent', () => {
  expect(readConfig({ SITE_NAME: ' ' }).siteName).toBeUndefined();
});

test('no setting is rejected with a message of the schema library', () => {
  const lines = ['nonsense', '\u0000', '-1', 'NaN', ',', ' '].flatMap((value) =>
    Object.keys(settingsSchema.shape).flatMap((name) => {
      const parsed = settingsSchema.safeParse({ [name]: value });
      return parsed.success ? [] : parsed.error.issues.map(({ message }) => `${name}: ${message}`);
    }),
  );
  expect(lines.length).toBeGreaterThan(50);
  expect(lines.filter((line) => /expected|received|invalid|entries|too (small|big)/i.test(line))).toEqual([]);
});

// Passwords where they belong, with characters that must be encoded, and in addresses where none belongs.
const hasSecret = /SECRET|PASSWORD|TOKEN|URL|_TO$/;
const passwords = ['Tr0ub4dor', 'Tr0ub4dor/x', 'x#Tr0ub4dor', 'x@Tr0ub4dor?', 'Tr0ub4dor%', 'x/Tr0ub4dor@y'];
const texts = passwords.flatMap((password) => [
  password,
  `postgres://study:${password}@db.example.org:5432/study?sslmode=x`,
  `mysql://study:${password}@db.example.org/study`,
  `https://key:${password}@bucket.example.org:99999/folder`,
  `https://study.example.org,https://study:${password}@app.example.org/path`,
]);
test.each(Object.keys(settingsSchema.shape).filter((name) => name !== 'NODE_ENV'))(
  'the messages about %s are short lines without any part of a password',
  (name) => {
    for (const NODE_ENV of ['development', 'production'])
      for (const text of texts.filter((one) => hasSecret.test(name) || one.includes('://'))) {
        let lines: readonly string[] = [];
        try {
          readConfig({ NODE_ENV, [name]: text });
        } catch (error) {
          lines = (error as ConfigError).lines;
        }
        expect(lines.join('\n')).not.toContain('Tr0ub4dor');
        expect(lines.filter((line) => line.length > 300 || line.includes('\n'))).toEqual([]);
      }
  },
);

test('a misspelled setting is reported; unrelated variables are not', () => {
  const known = Object.keys(settingsSchema.shape);
  const environment = {
    DATABSE_URL: '',
    TRUSTED_PROXY: '',
    JWT_SECRETS: '',
    PATH: '',
    HOSTNAME: '',
    HTTP_PROXY: '',
    TZ: '',
  };
  expect(misspelledSettings({ ...environment, DATABASE_URL: '' }, known)).toEqual([
    'DATABSE_URL is not a setting and is ignored; did you mean DATABASE_URL?',
    'TRUSTED_PROXY is not a setting and is ignored; did you mean TRUST_PROXY?',
    'JWT_SECRETS is not a setting and is ignored; did you mean JWT_SECRET?',
  ]);
});

test('an installed package keeps its data in the folder of the user, a checkout in its own', () => {
  expect(defaultFolder('data', false)).toBe('./data');
  expect(defaultFolder('uploads', true, { XDG_DATA_HOME: '/home/lin/.data' })).toBe(
    '/home/lin/.data/studytrack/uploads',
  );
  for (const environment of [{}, { XDG_DATA_HOME: 'relative' }])
    expect(defaultFolder('data', true, environment)).toBe(path.join(os.homedir(), '.local/share/studytrack/data'));
});
