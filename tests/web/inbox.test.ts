import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  clickLabel,
  type Look,
  noBrowser,
  startWebApp,
  textOf,
  untilKeysWork,
  type WebApp,
} from '../support/web/web-app.ts';

/** Until then it can be undone. */
const resolution = { timeout: 15_000 };

describe.skipIf(noBrowser)(`an administrator processes requests ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  async function addRequest(fields: {
    name: string;
    subject?: string;
    minutesAgo?: number;
    message?: string;
  }): Promise<number> {
    const { name, subject = 'technical_support', minutesAgo = 0, message = 'The chart of my week is empty.' } = fields;
    const [{ id = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
       VALUES ($1, $2, $3, $5, '192.0.2.1', 'test', now() - $4::int * interval '1 min', now())
       RETURNING id`,
      [name, `${name.toLowerCase().replaceAll(' ', '.')}@example.org`, subject, minutesAgo, message],
    );
    return id;
  }
  const rowOf = async (id: number) =>
    (
      await app.query<{ status: string; admin_note: string | null }>(
        'SELECT status, admin_note FROM contact_requests WHERE id = $1',
        [id],
      )
    )[0];
  const openInbox = async (where = '/admin/inbox', look: Look = {}) =>
    app.openAs(await app.createAccount({ role: 'admin' }), look, where);

  test('by keyboard from the home page: note, reviewed, resolved, and on to the next request', async () => {
    await app.query('DELETE FROM contact_requests');
    const old = await addRequest({ name: 'Old One', minutesAgo: 1500 });
    const fresh = await addRequest({ name: 'Fresh One', minutesAgo: 5 });
    const { page, problems } = await openInbox('/');
    await page.getByText('Problem · overdue').waitFor();
    await page.getByRole('link', { name: 'Inbox', exact: true }).press('Enter');
    await page.getByRole('list', { name: 'Requests' }).getByRole('link').first().waitFor();
    await untilKeysWork(page);
    await page.keyboard.press('j'); // who has waited longest comes first
    await page.getByRole('heading', { name: `#${old}` }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: `#${fresh}` }).waitFor();
    await page.getByText('answer due in 23 h', { exact: true }).waitFor();
    await page.keyboard.press('v');
    await expect.poll(() => rowOf(fresh)).toMatchObject({ status: 'reviewed' });
    await page.keyboard.press('n');
    await page.keyboard.type('every key e v j is text here');
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    expect(await rowOf(fresh)).toEqual({ status: 'reviewed', admin_note: 'every key e v j is text here' });
    await page.getByRole('button', { name: /^Open/ }).click();
    await page.goto(`/admin/inbox/${old}`);
    await page.getByRole('heading', { name: `#${old}` }).waitFor();
    await page.keyboard.press('e');
    await page.getByText(`Request ${old} is resolved.`).waitFor();
    await page.getByText('All answered.').waitFor();
    expect(await rowOf(old)).toMatchObject({ status: 'pending' });
    await page.keyboard.press('z');
    await page.getByRole('heading', { name: `#${old}` }).waitFor();
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Close' }).last().click();
    await expect.poll(() => rowOf(old), resolution).toMatchObject({ status: 'resolved' });
    expect(problems).toEqual([]);
  });

  test('a pause after a space keeps the space, and another administrator’s change is no conflict then', async () => {
    await app.query('DELETE FROM contact_requests');
    const id = await addRequest({ name: 'Slow Writer' });
    const { page } = await openInbox(`/admin/inbox/${id}`);
    const note = page.getByLabel('Note for administrators');
    await note.waitFor();
    const saved = page.getByRole('status').getByText('Saved', { exact: true });
    const isRead = () => page.waitForResponse((response) => response.url().endsWith(`/contact-requests/${id}`));
    let read = isRead();
    await note.pressSequentially('Called ');
    await read; // saved, and read again
    await saved.waitFor();
    expect(await rowOf(id)).toMatchObject({ admin_note: 'Called' });
    await app.query(`UPDATE contact_requests SET status = 'reviewed' WHERE id = $1`, [id]);
    read = isRead();
    await note.pressSequentially('twice');
    await read;
    await expect.poll(() => rowOf(id)).toEqual({ status: 'reviewed', admin_note: 'Called twice' });
    expect(await note.inputValue()).toBe('Called twice');
    expect(await page.getByRole('button', { name: 'Keep mine' }).count()).toBe(0);
  });

  test('resolving before the list has loaded continues with the next request', async () => {
    await app.query('DELETE FROM contact_requests');
    const next = await addRequest({ name: 'Next One', minutesAgo: 50 });
    const first = await addRequest({ name: 'First One', minutesAgo: 5 });
    const { page } = await openInbox();
    await page.route('**/api/admin/contact-requests?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await page.goto(`/admin/inbox/${first}`);
    await page.getByRole('heading', { level: 2, name: `#${first}` }).waitFor();
    await page.keyboard.press('e');
    await page.getByRole('heading', { level: 2, name: `#${next}` }).waitFor();
    await expect.poll(() => rowOf(first), resolution).toMatchObject({ status: 'resolved' });
  });

  test('search and filter are in the URL; resolving continues with the next request below', async () => {
    await app.query('DELETE FROM contact_requests');
    await addRequest({ name: 'Wang Fang' });
    const [first, second] = [await addRequest({ name: 'Zhang A' }), await addRequest({ name: 'Zhang B' })];
    const { page } = await openInbox();
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('zhang');
    const links = page.getByRole('list', { name: 'Requests' }).getByRole('link');
    await expect.poll(() => links.count()).toBe(2);
    await links.first().click();
    await expect.poll(() => new URL(page.url()).search).toBe('?search=zhang');
    await page.getByRole('heading', { name: `#${first}` }).waitFor();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await page.getByRole('heading', { name: `#${second}` }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Delete request ${second}?` });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await rowOf(second)).toBeDefined();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No request matches.').waitFor();
    expect(await rowOf(second)).toBeUndefined();
  });

  test('while a resolved request can be brought back, every count leaves it out', async () => {
    await app.query('DELETE FROM contact_requests');
    for (const name of ['Ann One', 'Ben Two', 'Cy Three']) await addRequest({ name });
    const { page } = await openInbox();
    const counts = async () => [
      await page.getByRole('button', { name: /^Open \d/ }).textContent(),
      await page.getByText(/^Select all \d shown$/).textContent(),
      `${await page.getByRole('list', { name: 'Requests' }).getByRole('link').count()} rows`,
    ];
    await page.getByText('Select all 3 shown').waitFor();
    await page.getByRole('link', { name: /Ben Two/ }).click();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    expect(await counts()).toEqual(['Open 2', 'Select all 2 shown', '2 rows']);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(counts).toEqual(['Open 3', 'Select all 3 shown', '3 rows']);
  });

  test('a note written meanwhile by somebody else is shown, not overwritten', async () => {
    const id = await addRequest({ name: 'Contested' });
    const { page } = await openInbox(`/admin/inbox/${id}`, { isLive: false });
    const note = page.getByRole('textbox', { name: 'Note' });
    await note.waitFor();
    const admin = await app.createUser({ role: 'admin' });
    const theirs = (adminNote: string) =>
      app.as(admin).put(`/api/admin/contact-requests/${id}/status`, { status: 'reviewed', adminNote }).expect(200);
    await theirs('called her');
    await note.fill('wrote her');
    await page.getByRole('alert').getByText('called her').waitFor();
    expect(await rowOf(id)).toMatchObject({ admin_note: 'called her' });
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(() => rowOf(id)).toEqual({ status: 'reviewed', admin_note: 'wrote her' });
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('creates the account for a request with two keys, and shows the password once', async () => {
    await app.query('DELETE FROM contact_requests');
    const id = await addRequest({ name: 'Mei Lin', subject: 'account_registration' });
    const { page, problems } = await openInbox(`/admin/inbox/${id}`);
    await page.getByRole('heading', { name: `#${id}` }).waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog', { name: 'Create account' });
    await dialog.waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Username' }).inputValue()).toBe('mei.lin');
    await page.keyboard.press('Enter');
    await dialog.getByText('一次性密码').waitFor();
    const password = await dialog.getByRole('definition').nth(1).textContent();
    await app.anonymous.post('/api/auth/login', { username: 'mei.lin', password }).expect(200);
    expect(await rowOf(id)).toMatchObject({ status: 'resolved' });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('All answered.').waitFor();
    expect(problems).toEqual([]);
  });

  test('a class that a request names is preset for its account, and can be left', async () => {
    await app.query(`INSERT INTO groups (name) VALUES ('Maths'), ('Maths B'), ('since Mon')`); // a part of a word is no name
    const message = 'I am new in maths b since Monday.';
    const id = await addRequest({ name: 'New Pupil', subject: 'account_registration', message });
    const { page } = await openInbox(`/admin/inbox/${id}`);
    const card = page.getByRole('region', { name: 'Asks for an account' });
    await card.getByText('No account has this address.').waitFor();
    await card.getByRole('button', { name: /^Create account/ }).click();
    const choice = page.getByRole('dialog').getByRole('combobox', { name: 'Class' });
    await expect.poll(() => choice.locator('option:checked').textContent()).toBe('Maths B');
    await choice.selectOption('No class');
    expect(await choice.locator('option:checked').textContent()).toBe('No class');
  });

  test('a password request of a known address offers the reset, which resolves it', async () => {
    await app.query('DELETE FROM contact_requests');
    const id = await addRequest({ name: 'Known One', subject: 'password_reset' });
    const student = await app.createAccount({ email: 'known.one@example.org', display_name: 'Known One' });
    const { page, problems } = await openInbox(`/admin/inbox/${id}`);
    const match = page.getByRole('region', { name: 'This address belongs to an account' });
    await match.getByRole('button', { name: 'Create reset link' }).waitFor();
    const reply = await page.getByRole('link', { name: 'Reply by e-mail' }).getAttribute('href');
    const { pathname, searchParams } = new URL(reply ?? '');
    expect(decodeURIComponent(pathname)).toBe('known.one@example.org');
    expect(searchParams.get('subject')).toBe(`#${id} Your password`);
    expect(searchParams.get('body')).toContain(`Your user name is ${student.username}.`);
    expect(searchParams.get('body')).toContain('\r\n\r\n> The chart of my week is empty.');
    await match.getByRole('button', { name: 'Set a one-time password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set a one-time password' });
    await dialog.getByText(student.username).waitFor();
    await expect.poll(() => rowOf(id)).toMatchObject({ status: 'resolved' });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('All answered.').waitFor();
    expect(problems).toEqual([]);
  });

  test('a request for which there is no other answer offers a reply below its message', async () => {
    const id = await addRequest({ name: 'Has Trouble' });
    const unknown = await addRequest({ name: 'Not Known', subject: 'password_reset' });
    const { page } = await openInbox(`/admin/inbox/${id}`);
    const card = page.getByRole('region', { name: 'Needs a reply' });
    const reply = card.getByRole('link', { name: 'Reply by e-mail' });
    expect(await reply.getAttribute('href')).toContain('mailto:has.trouble%40example.org');
    expect(await page.getByRole('link', { name: 'Reply by e-mail' }).count()).toBe(1);
    await page.goto(`/admin/inbox/${unknown}`);
    await card.getByText('No account has this address.').waitFor();
    expect(await reply.getAttribute('href')).toContain('mailto:not.known%40example.org');
  });

  test('several requests get accounts in one class', async () => {
    await app.query('DELETE FROM contact_requests');
    const ids = [
      await addRequest({ name: 'New Ann', subject: 'account_registration' }),
      await addRequest({ name: 'New Bob', subject: 'account_registration' }),
    ];
    const { page, problems } = await openInbox();
    await clickLabel(page.getByRole('checkbox', { name: 'Select all 2 shown' }));
    await page.getByRole('button', { name: 'Create 2 accounts' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create 2 accounts' });
    await dialog.getByRole('combobox', { name: 'Class' }).selectOption('New class…');
    await dialog.getByRole('textbox', { name: 'Name of the new class' }).fill('Newcomers');
    await dialog.getByRole('button', { name: 'Create 2 accounts' }).click();
    await dialog.getByText('一次性密码').nth(1).waitFor();
    for (const id of ids) expect(await rowOf(id)).toMatchObject({ status: 'resolved' });
    const members = await app.query(
      `SELECT u.username FROM group_members m JOIN groups g ON g.id = m.group_id JOIN users u ON u.id = m.user_id
       WHERE g.name = 'Newcomers' ORDER BY 1`,
    );
    expect(members).toEqual([{ username: 'new.ann' }, { username: 'new.bob' }]);
    expect(problems).toEqual([]);
  });

  test('bulk changes: selection with x or all shown; requests changed by others are reported', async () => {
    await app.query('DELETE FROM contact_requests');
    const [third, second, first] = [
      await addRequest({ name: 'Cy' }),
      await addRequest({ name: 'Bo' }),
      await addRequest({ name: 'Al' }),
    ];
    const { page, problems } = await openInbox('/admin/inbox?status=all', { isLive: false });
    await page.getByRole('list', { name: 'Requests' }).getByRole('link').first().waitFor();
    for (const id of [first, second]) {
      await page.keyboard.press('j');
      await page.getByRole('heading', { level: 2, name: `#${id}` }).waitFor();
      await page.keyboard.press('x');
    }
    await page.getByRole('status').getByText('2 selected').waitFor();
    await page.keyboard.press('v');
    await page.getByText('2 requests changed.').waitFor();
    const states = async () => [
      (await rowOf(first))?.status,
      (await rowOf(second))?.status,
      (await rowOf(third))?.status,
    ];
    expect(await states()).toEqual(['reviewed', 'reviewed', 'pending']);
    await clickLabel(page.getByRole('checkbox', { name: 'Select all 3 shown' }));
    const admin = await app.createUser({ role: 'admin' });
    const faster = { status: 'resolved', adminNote: '' };
    await app.as(admin).put(`/api/admin/contact-requests/${third}/status`, faster).expect(200);
    await app.query('DELETE FROM contact_requests WHERE id = $1', [second]);
    const bar = page.getByRole('group', { name: 'Selected requests' });
    await bar.getByRole('button', { name: 'Mark as seen' }).click();
    const left = page.getByRole('alert').getByRole('listitem');
    await left.first().waitFor();
    expect(await left.allTextContents()).toEqual([
      `#${second}: no longer exists`,
      `#${third}: already has a later status`,
    ]);
    expect(await states()).toEqual(['reviewed', undefined, 'resolved']);
    expect(problems).toEqual([]);
  });

  test('bulk deletion asks for confirmation', async () => {
    await app.query('DELETE FROM contact_requests');
    const ids = [await addRequest({ name: 'Al' }), await addRequest({ name: 'Bo' })];
    const { page } = await openInbox();
    await clickLabel(page.getByRole('checkbox', { name: 'Select all 2 shown' }));
    const bar = page.getByRole('group', { name: 'Selected requests' });
    const dialog = page.getByRole('dialog', { name: 'Delete 2 requests?' });
    await bar.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    for (const id of ids) expect(await rowOf(id)).toBeDefined();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 requests deleted.').waitFor();
    await page.getByText('All answered.').waitFor();
    for (const id of ids) expect(await rowOf(id)).toBeUndefined();
  });

  test('exports the filtered requests', async () => {
    await app.query('DELETE FROM contact_requests');
    await addRequest({ name: 'Exported' });
    const { page } = await openInbox();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(await textOf(download)).toContain('exported@example.org');
  });

  test('a phone shows the list or the request', async () => {
    await app.query('DELETE FROM contact_requests');
    const id = await addRequest({ name: 'Mei Lin' });
    const { page } = await openInbox('/admin/inbox', { width: 360, language: 'zh' });
    await page.getByRole('list', { name: '申请' }).getByRole('link').tap();
    await page.getByRole('heading', { name: `#${id}` }).waitFor();
    expect(await page.getByRole('list', { name: '申请' }).isVisible()).toBe(false);
    await page.getByRole('link', { name: '全部申请' }).tap();
    await page.getByRole('list', { name: '申请' }).waitFor();
  });

  test('students have no access', async () => {
    const { page } = await app.openAs(await app.createAccount(), {}, '/admin/inbox');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });
});
