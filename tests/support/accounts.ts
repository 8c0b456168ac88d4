import type { Response } from 'supertest';
import type { TestApp, TestUser } from './test-app.ts';

export type Account = { id: number; username: string; email: string; password: string };
export type SignedIn = TestUser & { refresh_token: string };

let accounts = 0;

/** An account with a password, made the way administrators make it. */
export async function createAccount(app: TestApp, fields: object = {}): Promise<Account> {
  accounts += 1;
  const admin = await app.createUser({ role: 'admin' }); // a new one each time: tests move the clock, and tokens expire
  const username = `account${accounts}`;
  const answer = await app
    .as(admin)
    .post('/api/admin/users', { username, email: `${username}@example.org`, password: 'a good password', ...fields })
    .expect(201);
  const { id, username: name, email } = answer.body.data;
  return { id, username: name, email, password: 'a good password' };
}

/** Signs in over HTTP; `address` is what a trusted proxy reports. */
export async function signIn(app: TestApp, account: Account, address = '192.0.2.1'): Promise<SignedIn> {
  const { username, password } = account;
  const answer = await app.anonymous
    .post('/api/auth/login', { username, password })
    .set('X-Forwarded-For', address)
    .expect(200);
  return asSignedIn(answer);
}

/** Who an answer to a login or refresh makes of the client. */
export function asSignedIn(answer: Response): SignedIn {
  const { token, refresh_token, user } = answer.body.data;
  return { id: user.id, username: user.username, email: user.email, role: user.role, token, refresh_token };
}
