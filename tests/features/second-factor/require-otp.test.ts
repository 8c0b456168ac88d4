import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, signIn } from '../../support/accounts.ts';
import { enableTotp } from '../../support/second-factor.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let app: TestApp;
let requiring: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  requiring = await startTestApp({ databaseUrl: app.databaseUrl, settings: { REQUIRE_OTP: 'admin' } });
});
afterAll(async () => {
  await requiring.stop();
  await app.stop();
});

/** Allowed before the second factor is enabled; every other operation that needs a sign-in is not. */
const allowed = [
  'beginTotp',
  'changePassword',
  'confirmTotp',
  'disableTotp',
  'endSignIn',
  'getMe',
  'listSignIns',
  'logout',
  'updateMe',
];

test('administrators without a second factor may do nothing but set it up', async () => {
  const admin = await app.createUser({ role: 'admin' });
  const open: string[] = [];
  for (const { id, method, path, access } of requiring.container.operations) {
    if (access === 'public' || id === 'logout') continue;
    const answer = await requiring.as(admin)[method](path.replace(/:\w+/g, '1'));
    const refused = answer.status === 403 && /OTP_SETUP_REQUIRED/.test(answer.text);
    if (!refused) open.push(id);
  }
  expect([...open, 'logout'].sort()).toEqual(allowed);
});

test('ordinary users are concerned when it says so', async () => {
  const user = await app.createUser();
  await requiring.as(user).get('/api/projects').expect(200);
  const strict = await startTestApp({ databaseUrl: app.databaseUrl, settings: { REQUIRE_OTP: 'all' } });
  try {
    const refused = await strict.as(user).get('/api/projects').expect(403);
    expect(refused.body.error.code).toBe('OTP_SETUP_REQUIRED');
    await strict.anonymous.get('/healthz').expect(200);
  } finally {
    await strict.stop();
  }
});

test('with the second factor enabled everything is open, in the same sign-in', async () => {
  const account = await createAccount(app, { role: 'admin' });
  const admin = await signIn(requiring, account);
  await requiring.as(admin).get('/api/admin/users').expect(403);
  await enableTotp(requiring, admin, account.password, new Date());
  await requiring.as(admin).get('/api/admin/users').expect(200);
});
