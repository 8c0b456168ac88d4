import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../../support/accounts.ts';
import { ownPage } from '../../../support/browser.ts';
import { startIdentityProvider, type TestProvider } from '../../../support/servers/identity-provider.ts';
import { type Attempt, finish, visitProvider } from '../../../support/single-sign-on.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';

let provider: TestProvider;
let app: TestApp;
beforeAll(async () => {
  provider = await startIdentityProvider();
  app = await startTestApp({ settings: { ...provider.settings, OIDC_CREATE_ACCOUNTS: 'on' } });
});
afterAll(async () => {
  await app.stop();
  await provider.stop();
});

const students = Array.from({ length: 12 }, (_, n) => n);

const claimsOf = (subject: string) => ({ email: `${subject}@school.test`, email_verified: true });

/** What else the network of a school does, which shares an address with those who wait for the provider. */
async function expectOthersServed() {
  const account = await createAccount(app, {});
  const { body } = await app.anonymous.post('/api/auth/login', account).expect(200);
  await app.anonymous.post('/api/auth/refresh', { refresh_token: body.data.refresh_token }).expect(200);
  await app.anonymous.get('/api/contact/captcha').expect(200);
}

test('a class signs in behind one address through a slow provider, and others sign in meanwhile', async () => {
  const attempts: Attempt[] = [];
  for (const n of students) {
    provider.be(`student${n}`, claimsOf);
    attempts.push(await visitProvider(app, provider));
  }
  let answer: (() => void) | undefined;
  const until = new Promise<void>((resolve) => {
    answer = resolve;
  });
  provider.be('nobody', claimsOf, { until });
  const statuses = Promise.all(attempts.map(async (attempt) => (await finish(app, attempt)).status));
  await expectOthersServed();
  answer?.();
  expect(new Set(await statuses)).toEqual(new Set([200]));
});

test('a provider that does not answer stops nobody else, and is not asked again at once', async () => {
  const other = await startIdentityProvider();
  other.be('nobody', {}, { until: new Promise(() => undefined) });
  const isolated = await startTestApp({ settings: other.settings });
  try {
    const waiting = students.map(() =>
      isolated.anonymous
        .post('/api/auth/browser/single-sign-on', {})
        .set(ownPage)
        .then(({ status }) => status),
    );
    const account = await createAccount(isolated, {});
    await isolated.anonymous.post('/api/auth/login', account).expect(200);
    await isolated.anonymous.get('/api/contact/captcha').expect(200);
    await other.stop(); // the connections end, as after the timeout
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([503]));
    const { headers } = await isolated.anonymous.post('/api/auth/browser/single-sign-on', {}).set(ownPage).expect(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  } finally {
    await isolated.stop();
  }
});
