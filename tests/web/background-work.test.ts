import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingsOf, looksOfFeature } from '../support/web/page-findings.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

describe.skipIf(noBrowser)(`background work ${noBrowser || ''}`, () => {
  let app: WebApp;
  beforeAll(async () => {
    app = await startWebApp({
      settings: { BACKUP_SCHEDULE: '6h', BACKUP_TO: '/nowhere', DATABASE_URL: 'postgres://unused' },
    });
    await app.query(
      `UPDATE backup_status SET started_at = '2026-02-01T00:00Z', finished_at = '2026-02-01T00:01Z', file = 'a.tgz', bytes = 52428800,
         failures = 2, failing_since = '2026-02-01T06:00Z', failed_at = '2026-02-01T06:01Z', error = 'permission denied (EACCES)'`,
    );
    await app.query(
      `INSERT INTO background_jobs (kind, payload, created_at, next_at, error_code, failed_at, failures, claims)
       SELECT 'mail', '"sealed"', now() - interval '1 hour', now() + interval '1 hour', code, CASE WHEN code <> '' THEN now() END,
         failures, failures FROM (VALUES ('ECONNREFUSED', 3), (NULL, 0), (NULL, 0)) AS j (code, failures)`,
    );
  });
  afterAll(() => app?.stop());

  test('is in the account menu, with queued and failed jobs and the next attempt', async () => {
    const { page, problems } = await app.openAs(await app.createAccount({ role: 'admin' }), {}, '/');
    await page.getByRole('button', { name: /^Account: / }).click();
    await page.getByRole('menuitem', { name: 'Background work' }).click();
    await page.getByRole('heading', { level: 1, name: 'Background work' }).waitFor();
    const mails = page.getByRole('row', { name: 'Mail to users' });
    await mails.getByText('ECONNREFUSED').waitFor();
    expect((await mails.getByRole('cell').allTextContents()).slice(0, 3)).toEqual(['2', '0', '1']);
    expect(await mails.locator('time').count()).toBe(2);
    expect(problems).toEqual([]);
  });

  test('shows the scheduled backups: the last one, why the next one fails, and when it is retried', async () => {
    const { page, problems } = await app.openAs(
      await app.createAccount({ role: 'admin' }),
      {},
      '/admin/background-work',
    );
    const backups = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Backups' }) });
    await backups.getByText('permission denied (EACCES)').waitFor();
    const shown = await backups.getByRole('definition').allTextContents();
    expect(shown.slice(0, 3)).toEqual(['Every 6 hours', '52.4 MB', '2']);
    expect(
      await backups.locator('time').evaluateAll((times) => times.map((time) => time.getAttribute('datetime'))),
    ).toEqual(['2026-02-01T00:01:00.000Z', '2026-02-01T06:02:00.000Z']);
    expect(problems).toEqual([]);
  });

  test.each(looksOfFeature)('is readable with %j', async (look) => {
    const account = await app.createAccount({ role: 'admin' });
    const { page, problems } = await app.openAs(account, look, '/admin/background-work');
    await page.getByText('ECONNREFUSED').waitFor();
    const found = await findingsOf(page, look);
    expect(found.filter((finding) => !/ECONNREFUSED|EACCES|MB/.test(finding))).toEqual([]); // untranslated codes and units
    expect(problems).toEqual([]);
  });
});
