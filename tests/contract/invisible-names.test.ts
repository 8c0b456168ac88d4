import { afterAll, beforeAll, expect, test } from 'vitest';
import { runRoster } from '../support/roster.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let admin: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.createUser({ role: 'admin' });
});
afterAll(() => app.stop());

/** Each has no picture, alone or with others. */
const invisible = [
  '\u200b',
  '\u2060',
  '\u3164',
  '\ufeff',
  '\u2800',
  '\u00ad',
  '\u115f\u1160',
  '\u202e\u202c',
  '\u200b \u3164',
];
const names: Readonly<
  Record<string, (name: string) => Promise<{ status: number; body: { error?: { details?: { field: string }[] } } }>>
> = {
  'display_name of a new account': async (name) =>
    app.as(admin).post('/api/admin/users', { username: 'wei.lin', email: 'wei@example.org', display_name: name }),
  'display_name of oneself': async (name) => app.as(admin).put('/api/auth/me', { display_name: name }),
  'name of a project': async (name) => app.as(await app.createUser()).post('/api/projects', { name }),
  'name of a group': async (name) => app.as(admin).post('/api/admin/groups', { name }),
  'name of a token': async (name) =>
    app
      .as(admin)
      .post('/api/me/tokens', { name, scopes: ['read'], expires_at: new Date(Date.now() + 86_400_000).toISOString() }),
};

test.each(Object.keys(names))('%s must have a visible character', async (what) => {
  const send = names[what];
  for (const name of invisible) {
    const response = await send?.(name);
    expect([response?.status, response?.body.error?.details?.length], JSON.stringify(name)).toEqual([400, 1]);
  }
});

test('of a roster: the row is left out', async () => {
  const file = ['username,email,display_name', `lin,lin@example.org,\u3164\u200b`, 'wei,wei@example.org,\u200dWei'];
  const { roster, errors } = await runRoster(app, admin, file);
  expect([roster.errors_count, JSON.stringify(errors ?? roster.errors)]).toEqual([
    1,
    expect.stringContaining('display_name'),
  ]);
});
