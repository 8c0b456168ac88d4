import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, signIn } from '../../../support/accounts.ts';
import { enableTotp } from '../../../support/second-factor.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';

let app: TestApp;
let withOtpRequired: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  withOtpRequired = await startTestApp({ databaseUrl: app.databaseUrl, settings: { REQUIRE_OTP: 'admin' } });
});
afterAll(async () => {
  await withOtpRequired.stop();
  await app.stop();
});

/** The operations allowed before the second factor is enabled. */
const allowed = [
  'beginTotp',
  'changePassword',
  'confirmTotp',
  'disableTotp',
  'endSignIn',
  'endSignIns',
  'getMe',
  'listSignIns',
  'logout',
  'updateMe',
];

test('administrators without a second factor can only set it up', async () => {
  const admin = await app.createUser({ role: 'admin' });
  const allowedIds: string[] = [];
  for (const { id, method, path, access } of withOtpRequired.container.operations) {
    if (access === 'public' || id === 'logout') continue;
    const response = await withOtpRequired.as(admin)[method](path.replace(/:\w+/g, '1'));
    const rejected = response.status === 403 && /OTP_SETUP_REQUIRED/.test(response.text);
    if (!rejected) allowedIds.push(id);
  }
  expect([...allowedIds, 'logout'].sort()).toEqual(allowed);
});

test('ordinary users need it only if REQUIRE_OTP is "all"', async () => {
  const user = await app.createUser();
  await withOtpRequired.as(user).get('/api/projects').expect(200);
  const strict = await startTestApp({ databaseUrl: app.databaseUrl, settings: { REQUIRE_OTP: 'all' } });
  try {
    const rejected = await strict.as(user).get('/api/projects').expect(403);
    expect(rejected.body.error.code).toBe('OTP_SETUP_REQUIRED');
    await strict.anonymous.get('/healthz').expect(200);
  } finally {
    await strict.stop();
  }
});

test('enabling the second factor gives full access in the same sign-in', async () => {
  const account = await createAccount(app, { role: 'admin' });
  const admin = await signIn(withOtpRequired, account);
  await withOtpRequired.as(admin).get('/api/admin/users').expect(403);
  await enableTotp(withOtpRequired, admin, account.password, new Date());
  await withOtpRequired.as(admin).get('/api/admin/users').expect(200);
});
