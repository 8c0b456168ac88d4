import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '../../../../../src/actor.ts';
import { type AuthService, createAuthService } from '../../../../../src/features/accounts/auth/auth-service.ts';
import { createPasswordHasher } from '../../../../../src/features/accounts/passwords/password-hasher.ts';
import { createPasswordService } from '../../../../../src/features/accounts/sign-ins/passwords/password-service.ts';
import {
  createRefreshTokens,
  createSignInService,
} from '../../../../../src/features/accounts/sign-ins/sign-in-service.ts';
import { createSignInThrottle } from '../../../../../src/features/accounts/sign-ins/throttle/sign-in-throttle.ts';
import { systemClock } from '../../../../../src/lib/clock.ts';
import { createAccount, signIn } from '../../../../support/accounts.ts';
import { startTestApp, type TestApp, testSecret } from '../../../../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** The service with the order in which callers get a slot, and of verifications and hashes. Verification waits for `open`. */
function createObservedService() {
  const done: string[] = [];
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const hasher = createPasswordHasher();
  const queued: string[] = [];
  const started: string[] = [];
  const observed = {
    ...hasher,
    enqueue: <T>(caller: string, work: () => Promise<T>) => {
      queued.push(caller);
      return hasher.enqueue(caller, () => {
        started.push(caller);
        return work();
      });
    },
    verify: async (known: string | null | undefined, password: string) => {
      done.push(password);
      await gate;
      return hasher.verify(known, password);
    },
    hash: (password: string) => {
      done.push(`hash ${password}`);
      return hasher.hash(password);
    },
  };
  const { store, tokens, securityLog, services } = app.container;
  const refreshTokens = createRefreshTokens([testSecret]);
  const clock = systemClock;
  const signIns = createSignInService({ store, tokens, refreshTokens, securityLog, clock });
  const throttle = createSignInThrottle({ store, clock, hasher: observed });
  const options = { store, hasher: observed, signIns, throttle, securityLog };
  const auth = createAuthService({ ...options, secondFactor: services.secondFactor });
  const { change } = createPasswordService({ ...options, clock });
  return { auth, change, done, queued, started, open };
}

async function actorOf(): Promise<Actor> {
  const account = await createAccount(app);
  const { token, ...user } = await signIn(app, account);
  const subject = app.container.tokens.check(token);
  if (typeof subject === 'string') throw new Error(subject);
  const { sign_in_id } = subject;
  return {
    ...user,
    timezone: 'UTC',
    sign_in_id,
    must_change_password: false,
    totp_enabled: false,
  };
}

const login = (auth: AuthService, name: string, password: string, address: string) =>
  auth.login({ name, password }, { address, device: '' }, { request_id: '', address });

test('queued wrong password changes and sign-ins delay another caller by at most one per caller', async () => {
  const { auth, change, done, queued, started, open } = createObservedService();
  const flooder = await actorOf();
  const bystander = await createAccount(app);
  const times = Array.from({ length: 60 }, (_, index) => index);
  const flood = [
    ...times.map(() =>
      change(flooder, { current_password: 'changing', new_password: 'a next password' }, '198.51.100.1'),
    ),
    ...times.map((time) => login(auth, `nobody ${time}`, 'signing in', '198.51.100.2')),
  ].map((attempt) => attempt.catch((error: unknown) => error));
  const mine = login(auth, bystander.username, bystander.password, '198.51.100.3');
  await expect.poll(() => queued.length).toBe(flood.length + 1);
  await expect.poll(() => done.length).toBe(2); // both slots are in use
  expect(done).not.toContain(bystander.password);
  open();
  await mine;
  expect(started.indexOf('address 198.51.100.3')).toBeLessThanOrEqual(4);
  await Promise.all(flood);
});

test('a wrong current password is counted before the new one is hashed', async () => {
  const { change, done, open } = createObservedService();
  open();
  const actor = await actorOf();
  for (let time = 0; time < 12; time += 1) {
    const passwords = { current_password: 'a wrong one', new_password: 'a next password' };
    const attempt = change(actor, passwords, '198.51.100.4');
    await expect(attempt).rejects.toThrow(time < 10 ? 'validation_failed' : 'too_many_sign_ins');
  }
  expect(done).toEqual(Array(10).fill('a wrong one'));
});
