import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as userRepository from '../../../../src/features/accounts/users/user-repository.ts';
import { createAccount } from '../../../support/accounts.ts';
import { untilWaiting } from '../../../support/locks.ts';
import { createProject } from '../../../support/records.ts';
import { startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
  // Cancelled requests are always faster than who cancelled them, as on a busy machine.
  const [lockRights] = await app.query<{ text: string }>("SELECT pg_get_functiondef('lock_rights'::regproc) AS text");
  await app.query(lockRights?.text.replace('END LOOP', 'PERFORM pg_sleep(0.1); END LOOP') ?? '');
});
afterAll(() => app.stop());

type Transaction = { outcome: Promise<string> };

/** A transaction of the user: it has verified their rights and, with `row`, locked their row. Then it runs the statement. */
async function begin(userId: number, statement: string, { row = false } = {}): Promise<Transaction> {
  let started = () => {};
  const holding = new Promise<void>((resolve) => {
    started = resolve;
  });
  const outcome = app
    .transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock_shared(7246107, $1::integer)', [userId]);
      if (row) await query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
      started();
      await query(statement);
    })
    .then(
      () => 'committed',
      (error: { code: string }) => error.code,
    );
  await holding;
  return { outcome };
}

const long = 'SELECT pg_sleep(300)';
const cancelled = '57014';

describe('nobody delays the loss of their rights', () => {
  test.each<[string, (id: number) => Promise<unknown>]>([
    ['deactivated', (id) => app.as(admin).put(`/api/admin/users/${id}`, { status: 'inactive' }).expect(200)],
    ['given a new password', (id) => app.as(admin).post(`/api/admin/users/${id}/reset-password`).expect(200)],
    ['deleted', (id) => app.as(admin).delete(`/api/admin/users/${id}`).expect(200)],
  ])('the long transactions of a user who is %s are cancelled', async (_, revoke) => {
    const { id } = await createAccount(app);
    const transactions = [await begin(id, long, { row: true }), await begin(id, long)];
    await revoke(id);
    expect(await Promise.all(transactions.map(({ outcome }) => outcome))).toEqual([cancelled, cancelled]);
  });

  test.each(['', 'a-key'])(
    'a request that waits meanwhile is answered with 401, with Idempotency-Key "%s"',
    async (key) => {
      const user = await app.createUser();
      const project = await createProject(app, user);
      await app.transaction(async (query) => {
        await query('SELECT FROM projects WHERE id = $1 FOR UPDATE', [project]);
        const request = app.as(user).put(`/api/projects/${project}`, { name: 'Later' });
        const waiting = (key === '' ? request : request.set('Idempotency-Key', key)).then(({ status }) => status);
        await untilWaiting(app, 1);
        await app.as(admin).put(`/api/admin/users/${user.id}`, { status: 'inactive' }).expect(200);
        expect(await waiting).toBe(401);
      });
    },
  );

  test('a short transaction commits first', async () => {
    const { id } = await createAccount(app);
    const { outcome } = await begin(id, 'SELECT 1', { row: true });
    await app.as(admin).put(`/api/admin/users/${id}`, { status: 'inactive' }).expect(200);
    expect(await outcome).toBe('committed');
  });
});

test('a user’s long transaction delays neither new accounts nor batches, which report that user', async () => {
  const [busy, free] = [await createAccount(app), await createAccount(app)];
  const project = await createProject(app, admin);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  onTestFinished(() => release());
  const profile = app.container.store.asService(async (tx) => {
    const { user } = await userRepository.lock(tx, busy.id, false);
    if (user !== undefined) await userRepository.update(tx, user, { ...user, timezone: 'Asia/Shanghai' });
    await released;
  });
  const users = [{ username: 'new.one', email: 'new.one@example.org' }];
  await app.as(admin).post('/api/admin/users/bulk', { users }).expect(200);
  const batch = { assign_type: 'add', project_ids: [project], user_ids: [busy.id, free.id] };
  const { body } = await app.as(admin).post('/api/projects/batch-assign', batch).expect(200);
  expect(body.data).toMatchObject({ assigned_count: 1, failed_count: 1 });
  expect(body.data.failures).toMatchObject([{ project_id: project, user_id: busy.id, code: 'USER_BUSY' }]);
  await app
    .as(admin)
    .post('/api/projects', { name: 'For both', assigned_user_ids: [busy.id] })
    .expect(503);
  release();
  await profile;
  const again = await app.as(admin).post('/api/projects/batch-assign', batch).expect(200);
  expect(again.body.data.failures).toEqual([]);
});
