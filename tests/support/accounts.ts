import type { Response } from 'supertest';
import type { TestApp, TestUser } from './test-app.ts';

export type Account = { id: number; username: string; email: string; password: string };
export type SignedIn = TestUser & { refresh_token: string };

let accounts = 0;

/** An account with a password, created as administrators do. */
export async function createAccount(app: TestApp, fields: object = {}): Promise<Account> {
  accounts += 1;
  const admin = await app.createUser({ role: 'admin' }); // a new one each time, because tests move the clock and tokens expire
  const username = `account${accounts}`;
  const response = await app
    .as(admin)
    .post('/api/admin/users', { username, email: `${username}@example.org`, password: 'a good password', ...fields })
    .expect(201);
  const { id, username: name, email } = response.body.data;
  return { id, username: name, email, password: 'a good password' };
}

/** Signs in over HTTP; `address` is the address that a trusted proxy reports. */
export async function signIn(app: TestApp, account: Account, address = '192.0.2.1'): Promise<SignedIn> {
  const { username, password } = account;
  const response = await app.anonymous
    .post('/api/auth/login', { username, password })
    .set('X-Forwarded-For', address)
    .expect(200);
  return asSignedIn(response);
}

/** The user and tokens of a login or refresh response. */
export function asSignedIn(response: Response): SignedIn {
  const { token, refresh_token, user } = response.body.data;
  return { id: user.id, username: user.username, email: user.email, role: user.role, token, refresh_token };
}
