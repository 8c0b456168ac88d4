import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../support/accounts.ts';
import { onePixel } from '../support/one-pixel.ts';
import { findingsOf } from '../support/page-findings.ts';
import { type Look, noBrowser, startWebApp, type WebApp } from '../support/web-app.ts';

/** Both themes are judged in each; they differ in colours alone. */
const looks: Look[] = (['en', 'zh'] as const).flatMap((language) =>
  [1280, 360].map((width) => ({ language, width, theme: 'light' as const })),
);
/** Those of administrators, or that look different for them. */
const adminPages = [
  '/',
  '/help',
  '/admin/inbox',
  '/admin/inbox/1',
  '/admin/assign',
  '/admin/assign?view=grid',
  '/admin/users',
  '/admin/users/new',
  '/admin/students',
  '/admin/groups',
  '/admin/audit',
  '/projects/new',
];
/** Those that look different while there is nothing. */
const emptyPages = ['/', '/projects', '/records', '/statistics', '/awards', '/trash'];

describe.skipIf(noBrowser)(`every page for everybody ${noBrowser || ''}`, () => {
  let app: WebApp;
  let full: Account;
  let empty: Account;
  let admin: Account;
  let where: string[];
  let projectId: number;
  beforeAll(async () => {
    app = await startWebApp();
    [full, empty] = [await app.createAccount(), await app.createAccount()];
    admin = await app.createAccount({ role: 'admin' });
    await app.query(
      `INSERT INTO contact_requests (name, email, phone, subject, message, admin_note, ip_address, user_agent, created_at, updated_at)
       SELECT '123', '1@example.org', '13800138000', 'account_registration', '789', '456', '192.0.2.1', 'test',
         now() - hours * interval '1 hour', now()
       FROM generate_series(0, 30, 30) hours`,
    );
    const [{ id = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO projects (name, description, user_id, target_hours) VALUES ('123', '456', $1, 40) RETURNING id`,
      [full.id],
    );
    projectId = id;
    await app.query(
      `INSERT INTO study_sessions (user_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, $2, day + interval '8 hours', day + interval '9 hours', '789', 'manual', 'UTC'
       FROM generate_series(date_trunc('day', now()) - interval '30 days', now() - interval '1 day', '1 day') day`,
      [full.id, id],
    );
    await app.query(`INSERT INTO projects (name, user_id, deleted_at) VALUES ('000', $1, now())`, [full.id]);
    where = [
      '/',
      '/projects',
      '/projects/new',
      `/projects/${id}`,
      `/projects/${id}/edit`,
      '/records',
      '/records/import',
      '/statistics',
      '/awards',
      '/trash',
      '/me',
      '/help',
      '/no/page',
    ];
  });
  afterAll(() => app?.stop());

  /** Pages with something open on them. */
  const states: Record<string, (page: Page, look: Look) => Promise<unknown>> = {
    'preview of an import': async (page) => {
      const rows = ['123,2026-11-01T08:00:00Z,2026-11-01T09:00:00Z', '0,2026-11-01T08:30:00Z,2026-11-01T09:30:00Z'];
      const buffer = Buffer.from(['project_name,started_at,ended_at', ...rows].join('\n'));
      await page.goto('/records/import');
      await page.locator('input[type=file]').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('table').waitFor();
    },
    'cutting a cover': async (page) => {
      await page.goto(`/projects/${projectId}`);
      const file = { name: 'x.png', mimeType: 'image/png', buffer: await onePixel() };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('slider').first().waitFor();
    },
    'a conflict': async (page) => {
      await page.goto(`/projects/${projectId}/edit`);
      await page.locator('textarea').fill('0');
      await app.query(
        `UPDATE projects SET description = description || '1', updated_at = now() + interval '1 minute' WHERE id = $1`,
        [projectId],
      );
      await page.locator('button[type=submit]').click();
      await page.getByRole('radio').first().waitFor();
    },
    'a timer without a network': async (page, { language }) => {
      const names = language === 'zh' ? ['计时器', '开始', '连接状态'] : ['Timer', 'Start', 'Connection'];
      const [timer = '', start = '', connection = ''] = names;
      await page.goto('/');
      const button = page.getByRole('region', { name: timer }).getByRole('button', { name: start, exact: true });
      await button.waitFor();
      await page.context().setOffline(true);
      await button.click();
      await page.getByRole('region', { name: connection }).getByRole('button').click();
      await page.getByRole('region', { name: connection }).getByRole('listitem').waitFor();
    },
  };

  const adminStates: typeof states = {
    'the search': async (page) => {
      await page.goto('/');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('e');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
    },
    'picked requests': async (page) => {
      await page.goto('/admin/inbox');
      await page.getByRole('checkbox').first().check({ force: true });
    },
  };

  test.each(looks)(
    '$language, $width px, both themes: no violation of WCAG 2.2 AA, no sideways scroll, one language',
    async (look) => {
      const found: Record<string, string[]> = {};
      const context = await app.openContext(look);
      const { page: stranger, problems: first } = await app.openPage(context);
      await stranger.getByRole('heading', { level: 1 }).waitFor();
      found['sign-in'] = [...(await findingsOf(stranger, look)), ...first];
      await stranger.goto('/contact');
      await stranger.locator('img[src^="data:"]').waitFor();
      found['contact'] = [...(await findingsOf(stranger, look)), ...first.splice(0)];
      await stranger.locator('button[type=submit]').click();
      await stranger.locator('[aria-invalid]').first().waitFor();
      found['contact with errors'] = [...(await findingsOf(stranger, look)), ...first.splice(0)];
      for (const [kind, account, paths] of [
        ['full', full, where],
        ['empty', empty, emptyPages],
        ['administrator', admin, adminPages],
      ] as const) {
        const { page, context: own, problems } = await app.openAs(account, look);
        for (const path of paths) {
          await page.goto(path);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' }); // what is still loading
          found[`${kind} ${path}`] = [...(await findingsOf(page, look)), ...problems.splice(0)];
        }
        const opened: typeof states = { full: states, empty: {}, administrator: adminStates }[kind];
        for (const [state, open] of Object.entries(opened)) {
          await open(page, look);
          found[state] = [...(await findingsOf(page, look)), ...problems.splice(0)];
        }
        await own.close();
      }
      await context.close();
      expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({});
    },
    240_000,
  );
});
