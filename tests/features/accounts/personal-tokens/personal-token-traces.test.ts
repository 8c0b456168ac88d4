import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../../../src/lib/log/logger.ts';
import { createAccount, signIn } from '../../../support/accounts.ts';
import { contactSettings } from '../../../support/contact.ts';
import { createToken, newToken } from '../../../support/personal-tokens.ts';
import { startTestApp, type TestApp } from '../../../support/test-app.ts';

let written = '';
const logger = createLogger('info', {
  destination: {
    write: (line) => {
      written += line;
    },
  },
});
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: contactSettings, logger });
});
afterAll(() => app.stop());

const eventLines = () =>
  written
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    .filter(({ event }) => event !== undefined);

test('creation and revocation are logged, without the token', async () => {
  const user = await app.createUser();
  written = '';
  const program = await createToken(app, user, ['read', 'projects:write']);
  await app.as(program).delete('/api/projects/999999').expect(404);
  await app.as(program).get('/api/me/tokens').expect(403);
  await app.as(user).delete(`/api/me/tokens/${program.token_id}`).expect(200);
  await app.as(program).get('/api/projects').expect(401);
  expect(eventLines()).toMatchObject([
    { event: 'personal_token_created', user: user.id, token: program.token_id, scopes: 'read projects:write' },
    { event: 'access_denied', user: user.id, reason: 'sign_in_required' },
    { event: 'personal_token_revoked', user: user.id, token: program.token_id },
  ]);
  expect(written).not.toContain(program.token);
  expect(written).not.toContain(program.token.slice(-20));
});

test('tokens of administrators, and tokens revoked by administrators, are in the audit log', async () => {
  const [admin, other] = [await app.createUser({ role: 'admin' }), await app.createUser({ role: 'admin' })];
  const account = await createAccount(app);
  const own = await createToken(app, admin, ['admin'], { name: 'Class lists' });
  const theirs = await createToken(app, await signIn(app, account), ['read'], { name: 'Private' });
  await app.as(admin).post(`/api/admin/users/${account.id}/reset-password`, {}).expect(200);
  await app.as(admin).delete(`/api/me/tokens/${own.token_id}`).expect(200);
  const page = await app.as(other).get(`/api/admin/audit?target_type=personal_token&actor=${admin.id}`).expect(200);
  expect(page.body.data.entries).toMatchObject([
    { action: 'revokeToken', target_ids: [own.token_id], after: null },
    { action: 'resetPassword', target_ids: [theirs.token_id], before: { user_id: account.id, scopes: ['read'] } },
    { action: 'createToken', target_ids: [own.token_id], after: { name: 'Class lists', scopes: ['admin'] } },
  ]);
});

test('changes made with an administrator’s token are in the audit log as those of the user', async () => {
  const admin = await app.createUser({ role: 'admin' });
  const program = await createToken(app, admin, ['admin']);
  const group = await app.as(program).post('/api/admin/groups', { name: 'By a program' }).expect(201);
  const page = await app.as(admin).get(`/api/admin/audit?target_type=group&actor=${admin.id}`).expect(200);
  expect(page.body.data.entries).toMatchObject([{ action: 'createGroup', target_ids: [group.body.data.id] }]);
});

test('invalid tokens count towards the limit of the address, valid ones towards that of the user', async () => {
  const limited = await startTestApp({ settings: { RATE_LIMIT_PER_MINUTE: '12' } });
  try {
    const user = await limited.createUser();
    const one = await createToken(limited, user, ['read']); // 1 request of the user
    const response = await limited
      .as(user)
      .post('/api/me/tokens', newToken({ name: 'Second' }))
      .expect(201); // 2
    const two = { ...user, token: response.body.data.token };
    for (let number = 0; number < 5; number += 1) await limited.as(one).get('/api/auth/me').expect(200);
    for (let number = 0; number < 5; number += 1) await limited.as(two).get('/api/auth/me').expect(200);
    await limited.as(two).get('/api/auth/me').expect(429);
    const guess = (number: number) =>
      limited.as({ ...user, token: `studytrack_${String(number).padStart(43, 'x')}` }).get('/api/auth/me');
    // Looking up the two tokens has used two requests of the address.
    for (let number = 0; number < 10; number += 1) await guess(number).expect(401);
    await guess(10).expect(429);
  } finally {
    await limited.stop();
  }
});
