import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contactSettings, submit } from '../../../support/contact.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings });
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());

let names = 0;
function newUser(contact_request_id: unknown, given: object = {}) {
  names += 1;
  const fields = { username: `asked${names}`, email: `asked${names}@example.org`, password: 'a good password' };
  return app.as(admin).post('/api/admin/users', { ...fields, contact_request_id, ...given });
}

async function createRequest(subject: string): Promise<number> {
  return (await submit(app, { subject })).body.requestId;
}

async function read(id: number) {
  return (await app.as(admin).get(`/api/admin/contact-requests/${id}`).expect(200)).body.data;
}

async function countUsers(): Promise<number> {
  return (await app.query('SELECT 1 FROM users')).length;
}

describe('creating the account for a request', () => {
  test('resolves the request and links it with the account atomically', async () => {
    const id = await createRequest('account_registration');
    const { body } = await newUser(id).expect(201);
    expect(body.data).not.toHaveProperty('contact_request_id');
    expect(await read(id)).toMatchObject({ status: 'resolved', user_id: body.data.id, admin_note: null });
  });

  test('leaves the request open if the account is rejected', async () => {
    const id = await createRequest('account_registration');
    await newUser(id, { username: admin.username }).expect(400);
    expect(await read(id)).toMatchObject({ status: 'pending' });
    expect(await read(id)).not.toHaveProperty('user_id');
  });

  test('creates no account for a missing, unrelated or resolved request', async () => {
    const done = await createRequest('account_registration');
    await app.as(admin).put(`/api/admin/contact-requests/${done}/status`, { status: 'resolved' }).expect(200);
    const before = await countUsers();
    expect((await newUser(999_999).expect(404)).body.error.code).toBe('RESOURCE_NOT_FOUND');
    expect((await newUser(await createRequest('password_reset')).expect(409)).body.error.code).toBe('CONFLICT');
    expect((await newUser(done).expect(409)).body.error.code).toBe('CONFLICT');
    expect((await newUser('7').expect(400)).body.error.details[0].field).toBe('contact_request_id');
    expect(await countUsers()).toBe(before);
  });

  test('of concurrent administrators one creates it', async () => {
    const id = await createRequest('account_registration');
    const before = await countUsers();
    const responses = await Promise.all(Array.from({ length: 6 }, () => newUser(id)));
    expect(responses.map((response) => response.status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(await countUsers()).toBe(before + 1);
  });
});

describe('resetting the password for a request', () => {
  test('resolves the request and links it with the account', async () => {
    const user = await app.createUser();
    const id = await createRequest('password_reset');
    const reset = (body: object) => app.as(admin).post(`/api/admin/users/${user.id}/reset-password`, body);
    await reset({ contact_request_id: id }).expect(200);
    expect(await read(id)).toMatchObject({ status: 'resolved', user_id: user.id });

    const [before] = await app.query('SELECT password_hash FROM users WHERE id = $1', [user.id]);
    await reset({ contact_request_id: id }).expect(409);
    await reset({ contact_request_id: await createRequest('other') }).expect(409);
    await reset({ contact_request_id: 999_999 }).expect(404);
    expect(await app.query('SELECT password_hash FROM users WHERE id = $1', [user.id])).toEqual([before]);
  });
});
