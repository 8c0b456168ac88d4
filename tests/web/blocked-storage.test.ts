import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../support/accounts.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

const blocked = ['localStorage', 'sessionStorage']
  .map((name) => `Object.defineProperty(window, '${name}', { get() { throw new Error('${name} is blocked'); } });`)
  .join('');

describe.skipIf(noBrowser)(`a browser that blocks storage ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  async function openBlocked(account: Account) {
    const opened = await app.openAs(account);
    await opened.page.addInitScript(blocked);
    await opened.page.reload();
    return opened;
  }

  test('shows an administrator the first steps, and hides them', async () => {
    const { page, problems } = await openBlocked(await app.createAccount({ role: 'admin' }));
    const steps = page.getByRole('heading', { name: 'Set up your school' });
    await steps.waitFor();
    await page.getByRole('button', { name: 'Hide this' }).click();
    await steps.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test('asks about a timer that runs longer than usual, and stops it', async () => {
    const account = await app.createAccount();
    await app.query(
      `WITH project AS (INSERT INTO projects (name, user_id) VALUES ('Guitar', $1) RETURNING id)
       INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, note, source, time_zone)
       SELECT $1, $1, id, now() - interval '5 hours', '', 'timer', 'UTC' FROM project`,
      [account.id],
    );
    const { page, problems } = await openBlocked(account);
    const timer = page.getByRole('region', { name: 'Timer' });
    await timer.getByRole('button', { name: 'Still going' }).click();
    await timer.getByText('Still studying?').waitFor({ state: 'detached' });
    await timer.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect
      .poll(() => app.query('SELECT count(*)::int AS running FROM study_sessions WHERE ended_at IS NULL'))
      .toEqual([{ running: 0 }]);
    expect(problems).toEqual([]);
  });
});
