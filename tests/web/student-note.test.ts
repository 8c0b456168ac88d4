import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingsAtBothWidths } from '../support/web/every-page.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`the note about a student ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  const createTeacher = (display_name: string) => app.createAccount({ role: 'admin', display_name });
  const notes = (id: number) => app.query<object>('SELECT text FROM student_notes WHERE user_id = $1', [id]);
  async function openTwo() {
    const student = await app.createAccount();
    const where = `/admin/students/${student.id}`;
    const open = async (name: string) => (await app.openAs(await createTeacher(name), {}, where)).page;
    return { student, ann: await open('Ann Lee'), bob: await open('Bob Ray') };
  }
  type Page = Awaited<ReturnType<typeof openTwo>>['ann'];
  const button = (page: Page) => page.getByRole('button', { name: 'Note for teachers' });
  const field = (page: Page) => page.getByRole('textbox', { name: 'Note for teachers' });
  const shown = (page: Page) => page.getByRole('region', { name: 'Note for teachers' });
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

  test('is written in its place, and another teacher reads it without a click; the student never does', async () => {
    const { student, ann, bob } = await openTwo();
    await button(ann).click();
    await field(ann).fill('Calls after four.\nReads mails.');
    await save(ann);
    await shown(ann).getByText('Ann Lee').waitFor();
    await field(ann).waitFor({ state: 'detached' });
    await expect
      .poll(() => button(ann).evaluate((element) => element.ownerDocument.activeElement === element))
      .toBe(true);
    await shown(bob).getByText('Calls after four.').waitFor();
    expect(await shown(bob).textContent()).toMatch(/^Calls after four\.\nReads mails\.Ann Lee, /);
    await button(bob).click();
    await field(bob).fill('');
    await save(bob);
    await field(bob).waitFor({ state: 'detached' });
    await shown(ann).waitFor({ state: 'detached' });
    expect(await notes(student.id)).toEqual([]);

    await button(bob).click();
    await field(bob).fill('Zanzibar');
    await save(bob);
    await shown(bob).getByText('Zanzibar').waitFor();
    const received: string[] = [];
    const { page, context } = await app.openAs(student);
    context.on('response', (response) => {
      if (response.url().includes('/api/') && !response.url().endsWith('/events'))
        void response.text().then((text) => received.push(text), Boolean);
    });
    for (const where of ['/', '/statistics', '/me', '/privacy']) {
      await page.goto(where);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.locator('body').textContent()).not.toContain('Zanzibar');
    }
    expect(received.length).toBeGreaterThan(3);
    expect(received.join()).not.toContain('Zanzibar');
  });

  test('of two who write at the same time the second one is refused, reads the other text and keeps the typed one', async () => {
    const { student, ann, bob } = await openTwo();
    await button(bob).click();
    await field(bob).fill('From Bob');
    await button(ann).click();
    await field(ann).fill('From Ann');
    await save(ann);
    await shown(ann).getByText('From Ann').waitFor();
    await save(bob);
    await bob.getByRole('alert').first().waitFor();
    await shown(bob).getByText('From Ann').waitFor();
    expect([await field(bob).inputValue(), await notes(student.id)]).toEqual(['From Bob', [{ text: 'From Ann' }]]);
    await save(bob);
    await field(bob).waitFor({ state: 'detached' });
    await shown(bob).getByText('From Bob').waitFor();
    expect(await notes(student.id)).toEqual([{ text: 'From Bob' }]);
    await bob.reload();
    await shown(bob).getByText('From Bob').waitFor();
    expect(await field(bob).count()).toBe(0);
  });

  test('an error keeps what is typed', async () => {
    const { student, ann } = await openTwo();
    await button(ann).click();
    await field(ann).fill('Not lost');
    await ann.route('**/note', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
    await save(ann);
    await ann.getByRole('alert').first().waitFor();
    expect([await field(ann).inputValue(), await notes(student.id)]).toEqual(['Not lost', []]);
    await ann.unroute('**/note');
    await save(ann);
    await shown(ann).getByText('Not lost').waitFor();
  });

  test.each([['en'], ['zh']] as const)(
    'its form has no violation of WCAG 2.2 AA and fits phones (%s)',
    async (language) => {
      const { id } = await app.createAccount({ display_name: '123' });
      await app.query(`INSERT INTO student_notes (user_id, text) VALUES ($1, '456')`, [id]);
      const account = await app.createAccount({ role: 'admin', display_name: '789' });
      const { page } = await app.openAs(account, { language }, `/admin/students/${id}`);
      const name = language === 'zh' ? '教师备注' : 'Note for teachers';
      await page.getByRole('region', { name }).waitFor();
      expect(await findingsAtBothWidths(page, language)).toEqual([]);
      await page.getByRole('button', { name }).click();
      await page.getByRole('textbox', { name }).waitFor();
      expect(await findingsAtBothWidths(page, language)).toEqual([]);
    },
  );
});
