import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../../../../src/lib/log/logger.ts';
import { startIdentityProvider, type TestProvider } from '../../../support/servers/identity-provider.ts';
import { signInThrough } from '../../../support/single-sign-on.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';

let shared: TestApp;
beforeAll(async () => {
  shared = await startTestApp();
});
afterAll(() => shared.stop());

type Settings = TestProvider['settings'];
type Case = {
  settings?: (own: Settings) => object;
  claims?: Parameters<TestProvider['be']>[2];
  subject?: string;
  auth?: 'client_secret_post';
  algorithm?: 'HS256';
  /** Whether requests end by their time limit. */
  isSlow?: boolean;
  /** What `cause` says besides. */
  cause?: RegExp;
};

const now = () => Math.floor(Date.now() / 1000);
const changed = (more: object): Case => ({ claims: { change: (claims) => ({ ...claims, ...more }) } });
const atIssuer = (change: (issuer: string) => string): Case => ({
  settings: ({ OIDC_ISSUER }) => ({ OIDC_ISSUER: change(OIDC_ISSUER) }),
});
const wrongSecret: Case = { settings: () => ({ OIDC_CLIENT_SECRET: 'wrong' }) };
const [otherClaim, otherTime] = [
  'unexpected JWT claim value encountered',
  'JWT timestamp claim value failed validation',
];

const cases: [name: string, documented: string, Case][] = [
  [
    'an issuer that differs',
    'discovered metadata issuer does not match the expected issuer',
    atIssuer((issuer) => issuer.replace('127.0.0.1', 'localhost')),
  ],
  [
    'a realm that does not exist',
    'unexpected HTTP response status code',
    { ...atIssuer((issuer) => `${issuer}/realms/none`), cause: /^HTTP 404$/ },
  ],
  [
    'a provider without TLS',
    'fetch failed',
    { ...atIssuer((issuer) => issuer.replace('http:', 'https:')), cause: /SSL/ },
  ],
  ['a provider that does not answer', 'operation timed out', { isSlow: true }],
  [
    'a wrong secret in the header',
    'server responded with a challenge in the WWW-Authenticate HTTP Header',
    wrongSecret,
  ],
  [
    'a wrong secret in the body',
    'server responded with an error in the response body',
    { ...wrongSecret, auth: 'client_secret_post', cause: /^invalid_client$/ },
  ],
  [
    'a refused person',
    'authorization response from the server is an error',
    { claims: { denies: true }, cause: /^access_denied$/ },
  ],
  ['a token for another client', otherClaim, { ...changed({ aud: 'another service' }), cause: /"aud"/ }],
  ['a token of another issuer', otherClaim, { ...changed({ iss: 'https://login.evil.test' }), cause: /"iss"/ }],
  ['a token for another browser', otherClaim, { ...changed({ nonce: 'another' }), cause: /"nonce"/ }],
  ['a token that has expired', otherTime, { ...changed({ exp: now() - 600, iat: now() - 900 }), cause: /"exp"/ }],
  ['a token that is not valid yet', otherTime, { ...changed({ nbf: now() + 600 }), cause: /"nbf"/ }],
  ['a token with a foreign key', 'JWT signature verification failed', { claims: { hasForeignKey: true } }],
  ['a provider that signs with the secret', 'unsupported operation', { algorithm: 'HS256' }],
  ['a token signed with the secret', 'unexpected JWT "alg" header parameter', { claims: { hasNoKey: true } }],
  ['a token without nonce', 'JWT "nonce" (nonce) claim missing', changed({ nonce: undefined })],
  ['a token without subject', 'JWT "sub" (subject) claim missing', changed({ sub: undefined })],
  ['a very long subject', 'the subject cannot be stored', { subject: 'x'.repeat(300) }],
];

test.each(cases)('what is logged for %s is in the documentation: %s', async (_name, documented, given) => {
  const { settings, claims, subject = 'lin', auth, algorithm, isSlow, cause } = given;
  const provider = await startIdentityProvider({ clientAuth: auth, algorithm });
  onTestFinished(() => provider.stop());
  const lines: { msg: string; reason?: string; cause?: string }[] = [];
  const logger = createLogger('warn', { destination: { write: (text: string) => lines.push(JSON.parse(text)) } });
  const all = { ...provider.settings, ...settings?.(provider.settings) };
  const app = await startTestApp({ settings: all, logger, databaseUrl: shared.databaseUrl });
  onTestFinished(app.stop);
  if (isSlow) {
    const ended = AbortSignal.abort(new DOMException('', 'TimeoutError'));
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(ended);
    onTestFinished(() => limit.mockRestore());
  }
  provider.be(subject, { email: 'lin@school.test', email_verified: true }, claims);
  const answer = await signInThrough(provider, app).catch(() => undefined);
  expect(answer?.status).not.toBe(200);
  const failed = lines.find(({ msg }) => msg === 'single sign-on failed');
  expect([failed?.reason, failed?.cause]).toContain(documented);
  expect(failed?.cause ?? '').toMatch(cause ?? /^/);
});

test('the documentation names exactly these reasons', async () => {
  const text = await readFile('docs/single-sign-on.md', 'utf8');
  const rows = text.slice(text.indexOf('## When it fails')).match(/^\| `[^|]*\|/gm) ?? [];
  const documented = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, reason]) => reason));
  expect(documented.sort()).toEqual([...new Set(cases.map(([, reason]) => reason))].sort());
});

test.each(['client_secret_basic', 'client_secret_post'] as const)(
  'a provider that allows only %s signs in without a setting for it',
  async (clientAuth) => {
    const provider = await startIdentityProvider({ clientAuth });
    onTestFinished(() => provider.stop());
    const app = await startTestApp({ settings: { ...provider.settings, OIDC_CREATE_ACCOUNTS: 'on' } });
    onTestFinished(app.stop);
    provider.be('lin', { email: 'lin@school.test', email_verified: true });
    expect((await signInThrough(provider, app)).status).toBe(200);
  },
);

test('null in the token does not hide what the user information has', async () => {
  const provider = await startIdentityProvider();
  onTestFinished(() => provider.stop());
  const app = await startTestApp({ settings: { ...provider.settings, OIDC_CREATE_ACCOUNTS: 'on' } });
  onTestFinished(app.stop);
  const change = (claims: object) => ({ ...claims, email: null, email_verified: null });
  provider.be('lin', { email: 'lin@school.test', email_verified: true }, { change });
  expect((await signInThrough(provider, app)).body.data.user).toMatchObject({ username: 'lin' });
});
