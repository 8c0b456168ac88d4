import type { CDPSession, Page } from 'playwright-core';
import { findingsOf, layoutFindingsOf } from './page-findings.ts';
import { startWebApp } from './web-app.ts';

export type Language = 'en' | 'zh';
/** Functions that open a state of a page, such as a dialog, by name. */
export type States = Record<string, (page: Page, language: Language) => Promise<unknown>>;
type Opened = { page: Page; problems: string[] };

/** The service with data of every kind. Texts are digits, which belong to no language. */
export async function startFullApp() {
  const app = await startWebApp();
  const student = await app.createAccount();
  await app.query(
    `INSERT INTO contact_requests (name, email, phone, subject, message, admin_note, ip_address, user_agent, created_at, updated_at)
     SELECT '123', '1@example.org', '13800138000', 'account_registration', '789', '456', '192.0.2.1', 'test',
       now() - hours * interval '1 hour', now()
     FROM generate_series(0, 30, 30) hours`,
  );
  const [{ id = 0 } = {}] = await app.query<{ id: number }>(
    `INSERT INTO projects (name, description, user_id, target_hours) VALUES ('123', '456', $1, 40) RETURNING id`,
    [student.id],
  );
  await app.query(
    `INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
     SELECT $1, (SELECT user_id FROM projects WHERE id = $2), $2, day + interval '8 hours', day + interval '9 hours', '789', 'manual', 'UTC'
     FROM generate_series(date_trunc('day', now()) - interval '30 days', now() - interval '1 day', '1 day') day`,
    [student.id, id],
  );
  await app.query(`INSERT INTO projects (name, user_id, deleted_at) VALUES ('000', $1, now())`, [student.id]);
  const [{ id: groupId = 0 } = {}] = await app.query<{ id: number }>(
    `INSERT INTO groups (name) VALUES ('789') RETURNING id`,
  );
  await app.query('INSERT INTO group_members (group_id, user_id) VALUES ($1, $2)', [groupId, student.id]);
  return Object.assign(app, { student, projectId: id, groupId });
}
export type FullApp = Awaited<ReturnType<typeof startFullApp>>;

/**
 * The findings of a page on a desktop and on a phone. Only style sheets depend on the width, so it is loaded once. The language
 * changes texts only, so violations are looked for in English on the desktop and in Chinese on the phone.
 */
export async function findingsAtBothWidths(page: Page, language: Language): Promise<string[]> {
  const found: string[] = [];
  const session = await sessionOf(page);
  for (const width of [1280, 360]) {
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: width === 360 });
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    const findings = (language === 'en') === (width === 1280) ? findingsOf : layoutFindingsOf;
    found.push(...(await findings(page, { language, width })).map((finding) => `${width} px: ${finding}`));
  }
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  await page.setViewportSize({ width: 1280, height: 800 });
  return found;
}

const sessions = new WeakMap<Page, CDPSession>();
async function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  return session;
}

/**
 * Opens a page as a link does, which takes half the time of reloading the application. Another page is opened first, because
 * two views of one page have the same heading.
 */
async function open(page: Page, path: string): Promise<void> {
  for (const next of ['/help', path]) {
    await page.getByRole('heading', { level: 1 }).waitFor();
    if ((await page.evaluate('location.pathname + location.search')) === next) continue;
    const leave = `(h1) => { h1.dataset.former = ''; history.pushState(null, '', '${next}'); }`;
    await page.locator('h1').evaluate(leave); // of a page that is just being shown again there may be none for a moment
    await page.locator('h1:not([data-former])').waitFor();
  }
}

/** The content of a page is shown after its heading, and then what it waits for. */
export async function untilLoaded(page: Page): Promise<void> {
  await page
    .locator('main :is(div:has(> div > h1) ~ *, .alone h1 ~ *), main.alone h1 ~ *')
    .first()
    .waitFor({ state: 'attached' });
  await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' });
}

/** The findings by page and state; those without any are left out. */
export async function findingsOfPages(
  { page, problems }: Opened,
  paths: readonly string[],
  states: States,
  language: Language,
) {
  const found: Record<string, string[]> = {};
  const inspect = async (name: string) => {
    found[name] = [...(await findingsAtBothWidths(page, language)), ...problems.splice(0)];
  };
  for (const path of paths) {
    await open(page, path);
    await untilLoaded(page);
    await inspect(path);
  }
  for (const [state, show] of Object.entries(states)) {
    await show(page, language);
    await inspect(state);
  }
  return Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0));
}
