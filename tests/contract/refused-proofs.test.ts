import type { Test } from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../src/http/operation.ts';
import { type Account, createAccount, type SignedIn, signIn } from '../support/accounts.ts';
import { fromPage, ownPage, signInOnPage } from '../support/browser.ts';
import { contactFields, getCaptcha, post } from '../support/contact.ts';
import { codeAt, createAccountWithTotp, type WithSecondFactor } from '../support/second-factor.ts';
import { startIdentityProvider, type TestProvider } from '../support/servers/identity-provider.ts';
import { startSmtpServer, type TestSmtpServer } from '../support/servers/smtp-server.ts';
import { finish, visitProvider } from '../support/single-sign-on.ts';
import { createTestClock, startTestApp, type TestApp } from '../support/test-app.ts';

// A refused password, code, token or cookie leaves nothing but its count, whatever operation it is sent to.

const clock = createTestClock();
const settings = { TRUST_PROXY: '1', CAPTCHA_MODE: 'reveal', CONTACT_FLOOD_PER_MINUTE: '0' };
let provider: TestProvider;
let smtp: TestSmtpServer;
let app: TestApp;
let plain: Account;
let plainSignedIn: SignedIn;
let careful: WithSecondFactor;
beforeAll(async () => {
  provider = await startIdentityProvider();
  smtp = await startSmtpServer();
  const mail = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` };
  app = await startTestApp({ clock, settings: { ...provider.settings, ...mail, ...settings } });
  plain = await createAccount(app);
  plainSignedIn = await signIn(app, plain);
  careful = await createAccountWithTotp(app, clock());
});
afterAll(async () => {
  await app.stop();
  await Promise.all([provider.stop(), smtp.stop()]);
});

const wrongToken = 'A'.repeat(43);
const wrongPassword = 'not the password';
function wrongCode(): string {
  const right = [-1, 0, 1].map((steps) => codeAt(careful.secret, new Date(clock().getTime() + steps * 30_000)));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
}
const login = (fields: object) => () => app.anonymous.post('/api/auth/login', fields);
const asPlain = () => app.as(plainSignedIn);
const asCareful = () => app.as(careful.signedIn);

/** A new identity with the address of an account comes back from the provider. */
async function visitAsStranger(account: Account) {
  provider.be(`stranger of ${account.id}`, { email: account.email, email_verified: true });
  return visitProvider(app, provider);
}

type Attempt = () => (() => Test) | Promise<() => Test>;
/** What the operations that take a proof must refuse. What an attempt needs is made before it is sent. */
const attempts: Record<string, Record<string, Attempt>> = {
  login: {
    'a wrong password': () => login({ username: plain.username, password: wrongPassword }),
    'a name without an account': () => login({ username: 'nobody', password: wrongPassword }),
    'no code': () => login({ username: careful.username, password: careful.password }),
    'a wrong code': () => login({ username: careful.username, password: careful.password, otp: wrongCode() }),
    'a recovery code with a wrong password': () =>
      login({ username: careful.username, password: wrongPassword, otp: careful.recoveryCodes[0] }),
  },
  browserSignIn: {
    'a wrong password': () => () => signInOnPage(app, { ...plain, password: wrongPassword }),
    'a wrong code': () => () => signInOnPage(app, careful, { otp: wrongCode() }),
  },
  browserRefresh: { 'a wrong cookie': () => () => fromPage(app, 'refresh', `studytrack=${wrongToken}`) },
  browserSignOut: { 'a wrong cookie': () => () => fromPage(app, 'sign-out', `studytrack=${wrongToken}`) },
  beginSingleSignOn: {
    'a page of another site': () => () =>
      app.anonymous.post('/api/auth/browser/single-sign-on', {}).set({ ...ownPage, 'Sec-Fetch-Site': 'cross-site' }),
  },
  finishSingleSignOn: {
    'another state': async () => {
      const visit = await visitAsStranger(plain);
      return () => finish(app, { ...visit, query: visit.query.replace(/state=[^&]+/, `state=${wrongToken}`) });
    },
    'a wrong code': async () => {
      const visit = await visitAsStranger(careful);
      return () => finish(app, visit, { otp: wrongCode() });
    },
    'a recovery code, of an identity that is not the linked one': async () => {
      provider.be('the linked one', { email: careful.email, email_verified: true });
      await finish(app, await visitProvider(app, provider), { otp: careful.recoveryCodes[1] }).expect(200);
      const visit = await visitAsStranger(careful);
      return () => finish(app, visit, { otp: careful.recoveryCodes[2] });
    },
  },
  refreshToken: { 'a wrong token': () => () => app.anonymous.post('/api/auth/refresh', { refresh_token: wrongToken }) },
  changePassword: {
    'a wrong password': () => () =>
      asPlain().put('/api/auth/password', { current_password: wrongPassword, new_password: 'another good password' }),
  },
  updateMe: {
    'a wrong password': () => () =>
      asPlain().put('/api/auth/me', {
        display_name: 'Another',
        email: 'another@example.org',
        current_password: wrongPassword,
      }),
  },
  deleteMe: {
    'a wrong password': () => () => asPlain().delete('/api/me').send({ current_password: wrongPassword }),
    'a wrong code': () => () =>
      asCareful().delete('/api/me').send({ current_password: careful.password, otp: wrongCode() }),
  },
  beginTotp: {
    'a wrong password': () => () => asPlain().post('/api/auth/totp', { current_password: wrongPassword }),
  },
  confirmTotp: {
    'a wrong code': async () => {
      const begun = await asPlain().post('/api/auth/totp', { current_password: plain.password }).expect(200);
      const wrong = codeAt(begun.body.data.secret, new Date(clock().getTime() + 3_600_000));
      return () => asPlain().post('/api/auth/totp/confirm', { otp: wrong });
    },
  },
  disableTotp: {
    'a wrong password and a recovery code': () => () =>
      asCareful().delete('/api/auth/totp').send({ current_password: wrongPassword, otp: careful.recoveryCodes[3] }),
    'a wrong code': () => () =>
      asCareful().delete('/api/auth/totp').send({ current_password: careful.password, otp: wrongCode() }),
  },
  acceptLink: {
    'a wrong token': () => () =>
      app.anonymous.post('/api/auth/accept', { token: wrongToken, password: 'another good password' }),
  },
  confirmEmail: { 'a wrong token': () => () => app.anonymous.post('/api/auth/email/confirm', { token: wrongToken }) },
  setUp: {
    'a wrong token': () => () =>
      app.anonymous.post('/api/setup', {
        token: wrongToken,
        username: 'first',
        email: 'first@example.org',
        password: 'a good password',
      }),
  },
  unsubscribe: { 'a wrong token': () => () => app.anonymous.post(`/api/mail/unsubscribe?token=${wrongToken}`) },
  readCalendar: { 'a wrong token': () => () => app.anonymous.get(`/api/calendar.ics?token=${wrongToken}`) },
  readSharedReport: { 'a wrong token': () => () => app.anonymous.post('/api/reports/shared', { token: wrongToken }) },
  submitContactRequest: {
    'a wrong captcha': async () => {
      const { captcha_id } = await getCaptcha(app);
      return () => post(app, contactFields({ captcha_id, captcha: 'XXXX' }));
    },
  },
};

const isProof = /^(token|refresh_token|otp|captcha|current_password)$/;
function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return [];
  const names: string[] = [];
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => void names.push(...Object.keys(jsonSchema.properties ?? {})),
  });
  return names;
}
const takesProof = ({ body, query, sameOrigin, access }: Operation) =>
  sameOrigin === true ||
  [...fieldsOf(body), ...fieldsOf(query)].some((name) => isProof.test(name)) ||
  (access === 'public' && fieldsOf(body).includes('password'));

test('every operation that takes a proof has attempts here', () => {
  const found = app.container.operations.filter(takesProof).map(({ id }) => id);
  expect(found.toSorted()).toEqual(Object.keys(attempts).toSorted());
});

const counts = { table: 'sign_in_failures', column: 'totp_wrong_codes' };
/** Issued by the service for one attempt, and used up by it. */
const usedUp = ['contact_captchas', 'sso_attempts'];

/** All rows of all tables, by table, without what an attempt counts and uses up. */
async function contents(): Promise<Record<string, string[]>> {
  const tables = await app.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
     AND c.relname <> ALL ($1) ORDER BY 1`,
    [[counts.table, ...usedUp]],
  );
  const rows = tables.map(async ({ name }) => {
    const found = await app.query<{ row: string }>(
      `SELECT (to_jsonb(t) - $1::text)::text AS row FROM "${name}" t ORDER BY 1`,
      [counts.column],
    );
    return [name, found.map(({ row }) => row)] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

const all = Object.entries(attempts).flatMap(([operation, named]) =>
  Object.entries(named).map(([name, attempt]) => ({ operation, name, attempt })),
);
test.each(all)('$operation with $name leaves nothing but its count', async ({ operation, attempt }) => {
  const send = await attempt();
  const before = await contents();
  const response = await send();
  expect(operation === 'browserSignOut' ? 400 : response.status).toBeGreaterThanOrEqual(400); // signed out already
  expect(response.status).toBeLessThan(500);
  expect(response.body.data).toBeUndefined();
  expect(await contents()).toEqual(before);
});
