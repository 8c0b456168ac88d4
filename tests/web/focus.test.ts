import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingsOf } from '../support/web/page-findings.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`focus ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp();
  });
  afterAll(() => app?.stop());

  async function openRunning(since: string) {
    const account = await app.createAccount();
    await app.query(
      `WITH project AS (INSERT INTO projects (name, user_id) VALUES ('Guitar', $1) RETURNING id)
       INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, note, source, time_zone)
       SELECT $1, $1, id, now() - $2::interval, '', 'timer', 'UTC' FROM project`,
      [account.id, since],
    );
    const records = () =>
      app.query(
        `SELECT planned_minutes AS planned, ended_at IS NULL AS running,
           round(extract(epoch FROM ended_at - started_at) / 3600)::int AS hours
         FROM study_sessions WHERE user_id = $1 ORDER BY started_at`,
        [account.id],
      );
    return { ...(await app.openAs(account)), account, records };
  }

  test('fills the page with the timer; its length is kept by the service, and a break ends the record', async () => {
    const { page, records, problems } = await openRunning('10 minutes');
    const stop = page.getByRole('region', { name: 'Timer' }).getByRole('button', { name: 'Stop' });
    await stop.waitFor();
    const focus = page.getByRole('dialog', { name: 'Focus mode' });
    await page.keyboard.press('f');
    await focus.getByRole('heading', { name: 'Guitar' }).waitFor();
    await focus.getByRole('button', { name: '25 + 5' }).click();
    await focus.getByText('round 1 of 4 · break at').waitFor();
    expect(await focus.getByRole('timer').textContent()).toMatch(/^(15:00|14:\d\d)$/);
    await expect.poll(records).toEqual([{ planned: 25, running: true, hours: null }]);
    expect(await findingsOf(page, {})).toEqual([]);
    await page.keyboard.press('Escape');
    await focus.waitFor({ state: 'detached' });
    await stop.waitFor();
    await page.keyboard.press('f');
    await focus.getByRole('heading', { name: 'Guitar' }).waitFor();
    await page.keyboard.press('Space');
    await focus.getByRole('heading', { name: 'Break' }).waitFor();
    await expect.poll(records).toMatchObject([{ running: false }]);
    await page.keyboard.press('Space');
    await focus.getByText('round 2 of 4').waitFor();
    await expect.poll(records).toMatchObject([{ running: false }, { running: true, planned: 25 }]);
    expect(problems).toEqual([]);
  });

  test('a timer that runs longer than usual asks whether it is still true', async () => {
    const { page, records, problems } = await openRunning('5 hours');
    const timer = page.getByRole('region', { name: 'Timer' });
    await timer.getByText(/The timer has run for 5 h;/).waitFor();
    await timer.getByRole('button', { name: 'Still going' }).click();
    await timer.getByText('Still studying?').waitFor({ state: 'detached' });
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await timer.getByRole('button', { name: /^End at/ }).click(); // two hours after the start, by default
    await expect.poll(records).toMatchObject([{ running: false, hours: 2 }]);
    expect(problems).toEqual([]);
  });

  test('such a timer can be discarded', async () => {
    const { page, records, problems } = await openRunning('5 hours');
    const timer = page.getByRole('region', { name: 'Timer' });
    await timer.getByText('Still studying?').waitFor();
    await timer.getByRole('button', { name: 'More about the timer' }).click();
    await page.getByRole('menuitem', { name: 'Discard timer' }).click();
    await expect.poll(records).toEqual([]);
    expect(problems).toEqual([]);
  });
});
