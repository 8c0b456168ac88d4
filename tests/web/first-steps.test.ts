import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`the first page of an administrator ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  test('leads a new school through four steps, and says who has not signed in yet', async () => {
    const admin = await app.createAccount({ role: 'admin' });
    const { page, problems } = await app.openAs(admin);
    await page.getByRole('heading', { name: 'Set up your school' }).waitFor();
    await page.getByText('0 of 4 done').waitFor();
    await page.getByRole('link', { name: 'Paste a list' }).waitFor();
    const student = await app.createAccount({ display_name: 'Mei Lin' });
    const head = app.as(await app.createUser({ role: 'admin' }));
    await head.post('/api/admin/groups', { name: 'Class 3b', user_ids: [student.id] }).expect(201);
    await page.reload();
    await page.getByText('2 of 4 done').waitFor();
    await page.getByRole('heading', { name: 'Class Class 3b' }).waitFor();
    await page
      .getByRole('list', { name: 'Waiting for the first sign-in' })
      .getByRole('link', { name: 'Mei Lin' })
      .waitFor();
    expect(await page.getByRole('heading', { name: 'Needs attention' }).count()).toBe(0);
    const fields = { name: 'Linear algebra', category: 'academic', target_hours: 40, assigned_user_ids: [student.id] };
    await head.post('/api/projects', fields).expect(201);
    await page.reload();
    await page.getByText('3 of 4 done').waitFor();
    await app.query('UPDATE users SET last_login_at = now() WHERE id = $1', [student.id]);
    await page.reload();
    await page.getByRole('heading', { name: 'Recent changes' }).waitFor();
    await page.getByText('Studied today').first().waitFor();
    expect(await page.getByRole('heading', { name: 'Set up your school' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
