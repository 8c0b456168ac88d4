import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`the first page of an administrator ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  test('offers three first steps until there is a student', async () => {
    const { page, problems } = await app.openAs(await app.createAccount({ role: 'admin' }));
    const heading = page.getByRole('heading', { name: 'First steps' });
    await heading.waitFor();
    for (const step of ['Create accounts for students', 'Put them into a class', 'Create a project for them'])
      await page.getByRole('link', { name: step }).waitFor();
    await app.createAccount();
    await page.reload();
    await heading.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Lately' }).waitFor();
    expect(await heading.count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
