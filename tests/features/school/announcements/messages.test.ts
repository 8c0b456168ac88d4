import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createAccount } from '../../../support/accounts.ts';
import { runJob } from '../../../support/contact.ts';
import { startSmtpServer, type TestSmtpServer } from '../../../support/servers/smtp-server.ts';
import { createTestClock, startTestApp, type TestApp, type TestUser } from '../../../support/test-app.ts';

const clock = createTestClock();
let smtp: TestSmtpServer;
let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  smtp = await startSmtpServer();
  app = await startTestApp({ settings: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }, clock });
});
afterAll(async () => {
  await app.stop();
  await smtp.stop();
});
afterEach(() => {
  smtp.mails.length = 0;
});

const newAdmin = async () => {
  admin = await app.createUser({ role: 'admin' });
};
const send = (user_ids: readonly number[], more = {}) =>
  app.as(admin).post('/api/admin/messages', { user_ids, subject: 'Piano', text: 'On Friday.\nBring a book.', ...more });

test('a message is one mail for each active user, in their language, and is logged', async () => {
  await newAdmin();
  const lin = await createAccount(app, { display_name: 'Lin' });
  const wei = await createAccount(app, { display_name: '魏' });
  const idle = await app.createUser({ status: 'inactive' });
  await app.query("UPDATE users SET locale = 'zh' WHERE id = $1", [wei.id]);
  const sent = await send([wei.id, lin.id, lin.id, idle.id, 999_999]).expect(200);
  expect(sent.body.data).toEqual({ sent_count: 2, skipped_user_ids: [idle.id, 999_999] });
  await runJob(app, 'send mails to account holders');
  const [english, chinese] = smtp.mails;
  expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([[lin.email], [wei.email]]);
  expect(english).toMatchObject({ subject: 'Piano', replyTo: [{ address: expect.stringMatching(/^admin\d+@/) }] });
  expect(english?.text).toMatch(/^Dear Lin,\n\nOn Friday\.\nBring a book\.\n\n-- \nSent to you by /);
  expect(chinese?.text).toMatch(/^魏，您好：\n/);
  const [entry] = (await app.as(admin).get('/api/admin/audit').expect(200)).body.data.entries;
  expect(entry).toMatchObject({
    ...{ action: 'sendMessage', target_type: 'user', target_ids: [lin.id, wei.id] },
    after: { message_subject: 'Piano' },
  });
});

test('a message names its sender as pages do', async () => {
  await newAdmin();
  await app.query("UPDATE users SET display_name = 'He Min' WHERE id = $1", [admin.id]);
  await send([(await createAccount(app)).id]).expect(200);
  await runJob(app, 'send mails to account holders');
  expect(smtp.mails[0]?.text).toContain('Sent to you by He Min, an administrator of Studytrack.');
});

test('a repeated request sends nothing more, and a user gets links and notices before messages', async () => {
  await newAdmin();
  const account = await createAccount(app);
  const key = { 'Idempotency-Key': 'piano' };
  await send([account.id]).set(key).expect(200);
  await send([account.id]).set(key).expect(200);
  await app.as(admin).post(`/api/admin/users/${account.id}/reset-link`).expect(200);
  await runJob(app, 'send mails to account holders');
  expect(smtp.mails.map(({ subject }) => subject === 'Piano')).toEqual([false, true]);
});

test('an administrator writes at most fifty messages a day, also at the same time', async () => {
  await newAdmin();
  const { id } = await createAccount(app);
  const statuses = await Promise.all(Array.from({ length: 52 }, async () => (await send([id])).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(50);
  expect((await send([id]).expect(409)).body.message).toBe('At most 50 messages a day.');
  clock.advance(86_400_000);
  await newAdmin(); // the sign-in has expired
  await send([id]).expect(200);
});

test.for([
  ['user_ids', { user_ids: [] }],
  ['user_ids', { user_ids: Array.from({ length: 501 }, (_, index) => index + 1) }],
  ['subject', { subject: ' ' }],
  ['subject', { subject: 'Piano\r\nBcc: everybody@example.org' }],
  ['text', { text: 'x'.repeat(2001) }],
] as const)('%s of a message is checked', async ([field, body]) => {
  await newAdmin();
  const response = await send([admin.id], body).expect(400);
  expect(response.body.error.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
});

test('an administrator who is limited to classes writes to their students only; one outside refuses the message', async () => {
  await newAdmin();
  const [own, other] = [await createAccount(app), await createAccount(app)];
  await runJob(app, 'send mails to account holders'); // those of the tests before
  smtp.mails.length = 0;
  const created = await app
    .as(admin)
    .post('/api/admin/groups', { name: '7a', user_ids: [own.id] })
    .expect(201);
  const head = admin;
  await newAdmin();
  const scope = { admin_scope: 'groups', admin_group_ids: [created.body.data.id] };
  await app.as(head).put(`/api/admin/users/${admin.id}`, scope).expect(200);
  const refused = await send([own.id, other.id, head.id]).expect(403);
  expect(refused.body.error.details).toMatchObject([{ field: 'user_ids[1]' }, { field: 'user_ids[2]' }]);
  expect((await send([own.id]).expect(200)).body.data).toMatchObject({ sent_count: 1 });
  await runJob(app, 'send mails to account holders');
  expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([[own.email]]);
});
