import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../../../../src/lib/log/logger.ts';
import { startIdentityProvider, type TestProvider } from '../../../support/servers/identity-provider.ts';
import { signInThrough } from '../../../support/single-sign-on.ts';
import { startTestApp } from '../../../support/test-app.ts';

type Settings = TestProvider['settings'];
type Case = {
  settings?: (own: Settings) => object;
  claims?: Parameters<TestProvider['be']>[2];
  auth?: 'client_secret_post';
  algorithm?: 'HS256';
};

const now = () => Math.floor(Date.now() / 1000);
test.each<[string, Case]>([
  [
    'an issuer that differs',
    { settings: ({ OIDC_ISSUER }) => ({ OIDC_ISSUER: OIDC_ISSUER.replace('127.0.0.1', 'localhost') }) },
  ],
  ['a wrong secret in the header', { settings: () => ({ OIDC_CLIENT_SECRET: 'wrong' }) }],
  ['a wrong secret in the body', { settings: () => ({ OIDC_CLIENT_SECRET: 'wrong' }), auth: 'client_secret_post' }],
  ['a token for another client', { claims: { change: (claims) => ({ ...claims, aud: 'another service' }) } }],
  ['a provider that signs with the secret', { algorithm: 'HS256' }],
  ['a token that is signed with the secret', { claims: { hasNoKey: true } }],
  ['a token that has expired', { claims: { change: (claims) => ({ ...claims, exp: now() - 600, iat: now() - 900 }) } }],
])('the reason that is logged for %s is in the documentation', async (_name, { settings, claims, auth, algorithm }) => {
  const provider = await startIdentityProvider({ clientAuth: auth, algorithm });
  onTestFinished(() => provider.stop());
  const lines: { msg: string; reason?: string; cause?: string }[] = [];
  const logger = createLogger('warn', { destination: { write: (text: string) => lines.push(JSON.parse(text)) } });
  const app = await startTestApp({ settings: { ...provider.settings, ...settings?.(provider.settings) }, logger });
  onTestFinished(app.stop);
  provider.be('lin', { email: 'lin@school.test', email_verified: true }, claims);
  await signInThrough(provider, app).catch(() => undefined);
  const failed = lines.find(({ msg }) => msg === 'single sign-on failed');
  const documented = await readFile('docs/single-sign-on.md', 'utf8');
  const reasons = [failed?.reason, failed?.cause].filter((text) => documented.includes(`\`${text}\``));
  expect(reasons, JSON.stringify(failed)).not.toEqual([]);
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
