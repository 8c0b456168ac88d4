import { hashSync } from '@node-rs/argon2';
import type { Response } from 'supertest';
import type { RunSql } from './plain-sql.ts';
import type { TestApp, TestUser } from './test-app.ts';

export type Account = { id: number; username: string; email: string; password: string };
export type SignedIn = TestUser & { refresh_token: string };
type NewAccount = NewUser & { email?: string; password?: string };

let accounts = 0;
const insertAccount = `
  INSERT INTO users (username, email, display_name, role, status, timezone, timezone_chosen, password_hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`;
/** The memory and the time that the service needs to verify a password are those of its hash. */
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** An account created as administrators do, whose password is as costly to verify as those of the service. */
export async function createAccountByAdmin(app: TestApp, given: NewAccount = {}): Promise<Account> {
  accounts += 1;
  const admin = await app.createUser({ role: 'admin' });
  const { username = `account${accounts}`, password = 'a good password' } = given;
  const fields = { ...given, username, email: `${username}@example.org`, password };
  const { body } = await app.as(admin).post('/api/admin/users', fields).expect(201);
  return { id: body.data.id, username, email: body.data.email, password };
}

/** An account with a password, whose hash costs next to nothing. */
export async function createAccount(app: TestApp, given: NewAccount = {}): Promise<Account> {
  accounts += 1;
  const { username = `account${accounts}`, password = 'a good password' } = given;
  const { email = `${username}@example.org`, display_name = username } = given;
  const { role = 'user', status = 'active', timezone = 'UTC' } = given;
  const hash = hashSync(password, cheap);
  const isChosen = given.timezone !== undefined;
  const fields = [username, email, display_name, role, status, timezone, isChosen, hash];
  const [{ id = 0 } = {}] = await app.query<{ id: number }>(insertAccount, fields);
  return { id, username, email, password };
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

export type NewUser = {
  username?: string;
  role?: 'admin' | 'user';
  status?: 'active' | 'inactive';
  timezone?: string;
  display_name?: string;
};
const insertUserWithSignIn = `
  WITH account AS (
    INSERT INTO users (username, email, display_name, role, status, timezone) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id)
  INSERT INTO sign_ins (user_id, expires_at) SELECT id, now() + interval '30 days' FROM account
  RETURNING user_id AS id, id AS sign_in_id`;
let users = 0;

/** An account with a valid sign-in, without the cost of hashing a password. */
export async function insertUser(
  query: RunSql,
  { role = 'user', status = 'active', timezone = 'UTC', ...given }: NewUser,
  sign: (subject: { user_id: number; sign_in_id: string }) => string,
): Promise<TestUser> {
  users += 1;
  const username = given.username ?? `${role}${users}`;
  const email = `${username}@example.org`;
  const [user] = await query<{ id: number; sign_in_id: string }>(insertUserWithSignIn, [
    username,
    email,
    given.display_name ?? username,
    role,
    status,
    timezone,
  ]);
  if (user === undefined) throw new Error('no user was created');
  return { id: user.id, username, email, role, token: sign({ user_id: user.id, sign_in_id: user.sign_in_id }) };
}
