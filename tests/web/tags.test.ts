import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn } from '../support/accounts.ts';
import { createProject } from '../support/records.ts';
import { createTestClock } from '../support/test-app.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`tags ${noBrowser || ''}`, () => {
  const clock = createTestClock(new Date('2026-11-20T12:00:00Z'));
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp({ clock });
  });
  afterAll(() => app?.stop());

  async function createStudent() {
    const account = await app.createAccount();
    const user = await signIn(app, account);
    const project = await createProject(app, user, 'Algebra');
    const record = (day: number, tags: string[]) =>
      app
        .as(user)
        .post(`/api/projects/${project}/sessions`, {
          started_at: `2026-11-${day}T08:00:00Z`,
          duration_seconds: 3600,
          note: `Day ${day}`,
          tags,
        })
        .expect(201);
    await record(17, ['模拟考', 'proof']);
    await record(18, ['proof']);
    await record(19, []);
    return { account, user, project };
  }

  test('are completed by initials in pinyin, saved with a record, and filter the list', async () => {
    const { account, user } = await createStudent();
    const { page, problems } = await app.openAs(account, {}, '/records?view=list');
    await page.getByRole('button', { name: /^Edit record of .*19/ }).click();
    const field = page.getByRole('combobox', { name: 'Tags' });
    await field.fill('mn');
    await page.getByRole('option', { name: '模拟考 1 record' }).waitFor();
    await field.press('Enter');
    await field.fill('listening');
    await page.getByRole('option', { name: 'New tag “listening”' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('proof');
    await expect.poll(() => page.getByText('Day 19').count()).toBe(0);
    await page.getByText('Day 17').waitFor();
    await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('listening');
    await page.getByText('Day 19').waitFor();
    const { data } = (await app.as(user).get('/api/sessions?tag=listening').expect(200)).body;
    expect(data.sessions[0].tags).toEqual(['模拟考', 'listening']);
    expect(problems).toEqual([]);
  });

  test('are beside the project in the filter of a phone', async () => {
    const { account } = await createStudent();
    const { page } = await app.openAs(account, { width: 390 }, '/records?view=list');
    const filters = ['Project', 'Tag'].map((name) => page.getByRole('combobox', { name, exact: true }));
    for (const filter of filters) await filter.waitFor();
    const [project, tag] = await Promise.all(filters.map(async (filter) => (await filter.boundingBox())?.y));
    expect(tag).toBe(project);
  });

  test('are set while the timer runs', async () => {
    const { account, user, project } = await createStudent();
    await app.as(user).post('/api/timer/start', { project_id: project }).expect(201);
    const { page } = await app.openAs(account);
    await page.getByRole('region', { name: 'Timer' }).getByRole('button', { name: 'Add a tag' }).click();
    await page.getByRole('combobox', { name: 'Tags' }).fill('proof');
    await page.getByRole('combobox', { name: 'Tags' }).press('Enter');
    await expect.poll(async () => (await app.as(user).get('/api/timer').expect(200)).body.data.tags).toEqual(['proof']);
  });

  test('have their time in the statistics, with the sum of rows that overlap explained', async () => {
    const { account } = await createStudent();
    const { page } = await app.openAs(account, {}, '/statistics');
    const card = page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: 'By tag' }) });
    await card.getByText('with tags 2 h').waitFor();
    await card.getByText('without tags 1 h').waitFor();
    await card.getByText('A record may have several tags').waitFor();
    await card.getByRole('link', { name: 'Rename, merge or delete tags' }).click();
    await page.getByRole('button', { name: 'Rename 模拟考' }).waitFor();
  });

  test('are merged and deleted in the settings', async () => {
    const { account, user } = await createStudent();
    const { page } = await app.openAs(account, {}, '/me/data');
    await page.getByRole('button', { name: 'Rename 模拟考' }).click();
    await page.getByRole('list', { name: 'Tags' }).getByRole('textbox', { name: 'Name' }).fill('proof');
    await page.getByRole('button', { name: 'Merge into proof' }).click();
    await page.getByRole('button', { name: 'Rename 模拟考' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete proof' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No tags yet.').waitFor();
    expect((await app.as(user).get('/api/sessions?tag=none').expect(200)).body.data.pagination.total).toBe(3);
  });
});
