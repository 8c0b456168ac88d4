import { Secret, TOTP } from 'otpauth';
import { type Account, asSignedIn, createAccount, type SignedIn } from './accounts.ts';
import type { TestApp } from './test-app.ts';

export type WithSecondFactor = Account & { secret: string; recoveryCodes: string[]; signedIn: SignedIn };

/** The code that an authenticator app shows at a given time. */
export function codeAt(secret: string, now: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });
}

/** Enables a second factor over HTTP. */
export async function enableTotp(app: TestApp, user: SignedIn, password: string, now: Date) {
  const started = await app.as(user).post('/api/auth/totp', { current_password: password }).expect(200);
  const { secret } = started.body.data;
  const confirmed = await app
    .as(user)
    .post('/api/auth/totp/confirm', { otp: codeAt(secret, now) })
    .expect(200);
  return { secret: String(secret), recoveryCodes: confirmed.body.data.recovery_codes as string[] };
}

/** An account with a second factor, signed in before that was enabled. */
export async function createAccountWithTotp(app: TestApp, now: Date, fields: object = {}): Promise<WithSecondFactor> {
  const account = await createAccount(app, fields);
  const { username, password } = account;
  const signedIn = asSignedIn(await app.anonymous.post('/api/auth/login', { username, password }).expect(200));
  return { ...account, ...(await enableTotp(app, signedIn, password, now)), signedIn };
}
