import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProject } from '../support/records.ts';
import type { TestUser } from '../support/test-app.ts';
import { noBrowser, startWebApp, textOf, untilKeysWork, type WebApp } from '../support/web/web-app.ts';

/**
 * Counts the actions of a task: each key press, each tap and each typed text is one. Moving with Tab or the pointer does not
 * count.
 */
function createActions(page: Page) {
  let count = 0;
  return {
    async press(...keys: string[]) {
      for (const key of keys) await page.keyboard.press(key);
      count += keys.length;
    },
    async type(text: string) {
      await page.keyboard.type(text);
      count += 1;
    },
    async paste(text: string) {
      await page.keyboard.insertText(text);
      count += 1;
    },
    async tap(what: Locator) {
      await what.tap();
      count += 1;
    },
    /** Moves the focus to an element with Tab only. */
    async tabTo(what: Locator) {
      await what.waitFor();
      const focused = page.locator(':focus');
      const isFocused = async () => (await what.and(focused).count()) + (await what.locator(':focus').count()) > 0;
      for (let tabs = 0; !(await isFocused()); tabs += 1) {
        if (tabs > 60) throw new Error('not reached by Tab');
        await page.keyboard.press('Tab');
      }
    },
    /** Activates an element with Tab and Enter, or with a tap. */
    async choose(by: keyof typeof looks, what: Locator) {
      if (by === 'taps') return this.tap(what);
      await this.tabTo(what);
      await this.press('Enter');
    },
    /** The number of actions since the last call. */
    done() {
      const result = count;
      count = 0;
      return result;
    },
  };
}

const looks = {
  keys: { language: 'en', theme: 'light', width: 1280 },
  taps: { language: 'zh', theme: 'dark', width: 360 },
} as const;

/** Replaces `print()` and counts its calls. */
const countPrints = (page: Page) =>
  page.evaluate('window.prints = 0; window.print = () => { window.prints += 1; }').then(() => ({
    count: () => page.evaluate<number>('window.prints'),
  }));

describe.skipIf(noBrowser)(`tasks need a minimum of actions ${noBrowser || ''}`, () => {
  let app: WebApp;
  let owner: TestUser;
  beforeAll(async () => {
    app = await startWebApp();
    owner = await app.createUser({ role: 'admin' });
  });
  afterAll(() => app?.stop());

  /** Opens the page of a student with two projects and a record on the second one. */
  async function openStudent(by: keyof typeof looks) {
    const account = await app.createAccount();
    await app.query(
      `WITH project AS (INSERT INTO projects (name, user_id, target_hours) VALUES ('Guitar', $1, 40), ('Mechanics', $1, 40)
         RETURNING id, name)
       INSERT INTO study_sessions (user_id, owner_id, project_id, started_at, ended_at, note, source, time_zone)
       SELECT $1, $1, id, now() - interval '4 hours', now() - interval '3 hours', 'Chapter 3', 'timer', 'UTC'
       FROM project WHERE name = 'Mechanics'`,
      [account.id],
    );
    const { page } = await app.openAs(account, looks[by]);
    /**
     * Deletes the recent records, so that they do not overlap the following ones. The page shows changes before they are
     * sent, therefore it first waits until the last one has been saved.
     */
    const deleteRecent = async (arrived: string) => {
      const mine = `user_id = $1 AND started_at > now() - interval '2 hours'`;
      await expect
        .poll(() => app.query(`SELECT id FROM study_sessions WHERE ${mine} AND ${arrived}`, [account.id]))
        .toHaveLength(1);
      await app.query(`DELETE FROM study_sessions WHERE ${mine}`, [account.id]);
    };
    /** Timers of less than a minute are asked about. */
    const runForMinutes = async () => {
      const start = `UPDATE study_sessions SET started_at = started_at - interval '5 minutes'`;
      await expect // the page shows a timer before it has been saved
        .poll(() => app.query(`${start} WHERE user_id = $1 AND ended_at IS NULL RETURNING id`, [account.id]))
        .toHaveLength(1);
      await page.reload();
      await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^0:05:/);
    };
    await page.getByRole('heading', { level: 1, name: by === 'keys' ? 'Today' : '今天' }).waitFor();
    await page.getByRole('button', { name: by === 'keys' ? 'Start' : '开始', exact: true }).waitFor();
    return { page, actions: createActions(page), deleteRecent, runForMinutes };
  }
  const waitForTimer = (page: Page, project: string) =>
    page
      .getByRole('status')
      .getByText(new RegExp(`^(Running: |正在计时：)${project}$`))
      .waitFor();
  const focusedName = (page: Page) => page.locator(':focus').getAttribute('aria-label');

  test('J1 to J6 with keys', async () => {
    const { page, actions, deleteRecent, runForMinutes } = await openStudent('keys');
    for (const text of ['Plan for today', '-day streak', 'This week']) await page.getByText(text).first().waitFor(); // J4: 0
    await actions.press('s');
    await waitForTimer(page, 'Mechanics');
    expect(actions.done(), 'J1').toBe(1);
    await runForMinutes();

    await actions.press('s');
    await expect.poll(() => focusedName(page)).toBe('Note');
    await actions.type('Exercises');
    await actions.press('Enter');
    await page.getByRole('status').getByText('Saved.').waitFor();
    expect(actions.done(), 'J3').toBe(3);
    await deleteRecent(`note = 'Exercises'`);

    await page.getByRole('heading', { level: 1 }).focus();
    await actions.press('Shift+S');
    await page.getByRole('dialog').getByRole('option', { name: 'Guitar Start' }).waitFor();
    await actions.type('gui');
    await actions.press('Enter');
    await waitForTimer(page, 'Guitar');
    expect(actions.done(), 'J2').toBe(3);
    await actions.press('-');
    await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^0:1[5-9]:/);
    expect(actions.done(), 'J2, and 15 minutes ago').toBe(1);

    await deleteRecent(`started_at < now() - interval '14 minutes'`);
    await page.reload();
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    await actions.press('r');
    await expect.poll(() => page.locator(':focus').inputValue()).toBe('1 h');
    await actions.type('1h30');
    await actions.press('Enter');
    await page.getByText('1 h 30').first().waitFor();
    expect(actions.done(), 'J5').toBe(3);

    await untilKeysWork(page);
    await page.getByRole('heading', { level: 1 }).focus();
    await actions.press('/');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await actions.type('mec');
    await page.getByRole('dialog').getByRole('option', { name: 'Mechanics Project' }).waitFor();
    await actions.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Mechanics' }).waitFor();
    expect(actions.done(), 'J6').toBe(3);
  });

  test('J1 to J6 with taps on a phone', async () => {
    const { page, actions, deleteRecent, runForMinutes } = await openStudent('taps');
    await actions.tap(page.getByRole('button', { name: '继续 Mechanics' }));
    await waitForTimer(page, 'Mechanics');
    expect(actions.done(), 'J1').toBe(1);
    await runForMinutes();

    await actions.tap(page.getByRole('button', { name: '停止', exact: true }));
    await expect.poll(() => focusedName(page)).toBe('备注');
    expect(actions.done(), 'J3').toBe(1);
    await deleteRecent('ended_at IS NOT NULL');

    await actions.tap(page.getByRole('button', { name: '继续 Guitar' }));
    await waitForTimer(page, 'Guitar');
    expect(actions.done(), 'J2').toBeLessThanOrEqual(2);
    await actions.tap(page.getByRole('button', { name: '展开计时器' }));
    await actions.tap(page.getByRole('button', { name: /^\d+:\d+ 开始$/ }));
    await actions.tap(page.getByRole('button', { name: '提前 15 分钟' }));
    await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^0:1[5-9]:/);
    expect(actions.done(), 'J2, and 15 minutes ago').toBe(3);
    await page.getByRole('button', { name: '收起计时器' }).press('Enter');

    await actions.tap(page.getByRole('link', { name: 'Guitar' }).first());
    await page.getByRole('heading', { level: 1, name: 'Guitar' }).waitFor();
    expect(actions.done(), 'J6').toBe(1);

    await actions.tap(page.getByRole('link', { name: '日历' }));
    await actions.tap(page.getByRole('button', { name: '添加记录' }));
    await page.getByLabel('日期', { exact: true }).fill('2026年11月1日');
    await page.getByLabel('开始', { exact: true }).fill('8点');
    await page.getByRole('textbox', { name: '时长' }).fill('1h');
    await actions.tap(page.getByRole('button', { name: '保存' }));
    await page.getByRole('textbox', { name: '时长' }).waitFor({ state: 'detached' });
    expect(actions.done(), 'J5').toBe(3);
    await page.goto('/records?on=2026-11-01');
    await actions.tap(page.getByRole('button', { name: /08:00–09:00/ }));
    await page.getByRole('textbox', { name: '时长' }).fill('1h30');
    await actions.tap(page.getByRole('button', { name: '保存' }));
    await page.getByRole('button', { name: /08:00–09:30/ }).waitFor();
    expect(actions.done(), 'J5, correcting').toBe(2);
  });

  /** Creates five projects and thirty students whose names start with this word. */
  async function addClass(word: string) {
    const projects: number[] = [];
    for (let n = 1; n <= 5; n += 1) projects.push(await createProject(app, owner, `${word} ${n}`));
    await app.query(
      `INSERT INTO users (username, email, password_hash, display_name, role)
       SELECT lower($1) || n, lower($1) || n || '@example.org', 'none', $1 || ' ' || n, 'user' FROM generate_series(1, 30) n`,
      [word],
    );
    return projects;
  }
  const pairs = async (projects: readonly number[]) => {
    const [{ count = 0 } = {}] = await app.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM project_assignments WHERE project_id = ANY($1)',
      [projects],
    );
    return count;
  };

  test.each(['keys', 'taps'] as const)('J7: assign five projects to thirty students with %s', async (by) => {
    const word = by === 'keys' ? 'Key' : 'Tap';
    const projects = await addClass(word);
    const { page } = await app.openAs(await app.createAccount({ role: 'admin' }), looks[by], '/admin/assign');
    const actions = createActions(page);
    if (by === 'keys') {
      await actions.tabTo(page.getByRole('searchbox', { name: 'Search projects' }));
      await actions.type(word);
      await actions.tabTo(page.getByRole('grid', { name: 'Projects' }));
      await actions.press('Control+a');
      await actions.tabTo(page.getByRole('searchbox', { name: 'Search students' }));
      await actions.type(word);
      await actions.tabTo(page.getByRole('grid', { name: 'Students' }));
      await actions.press('Control+a');
      await page.getByText('Staged: 150 added').waitFor();
      await actions.tabTo(page.getByRole('button', { name: 'Apply' }));
      await actions.press('Enter');
      await page.getByText('Done: 150 added').waitFor();
    } else {
      await actions.tap(page.getByRole('searchbox', { name: '搜索项目' }));
      await page.keyboard.type(word);
      await actions.tap(page.getByRole('button', { name: '全选（5）' }));
      await actions.tap(page.getByRole('button', { name: '下一步：学生' }));
      await actions.tap(page.getByRole('searchbox', { name: '搜索学生' }));
      await page.keyboard.type(word);
      await actions.tap(page.getByRole('button', { name: '全部分配（30）' }));
      await page.getByText('待应用：新增 150').waitFor();
      await actions.tap(page.getByRole('button', { name: '应用' }));
      await page.getByText('已完成：新增 150').waitFor();
    }
    expect(actions.done()).toBeLessThanOrEqual(6);
    expect(await pairs(projects)).toBe(150);
  });

  test.each(['keys', 'taps'] as const)(
    'J9: resolve a request and create the account for another one with %s',
    async (by) => {
      await app.query('DELETE FROM contact_requests');
      const requests = await app.query<{ id: number }>(
        `INSERT INTO contact_requests (name, email, subject, message, ip_address, user_agent, created_at, updated_at)
       SELECT $1 || n, $1 || n || '@example.org', s, 'Hello', '192.0.2.1', 'test', now() - n * interval '1 hour', now()
       FROM unnest(ARRAY['other', 'account_registration']) WITH ORDINALITY AS subject (s, n) RETURNING id`,
        [by],
      );
      const [first, second] = requests.map(({ id }) => id);
      const where = `/admin/inbox/${first}`;
      const { page } = await app.openAs(await app.createAccount({ role: 'admin' }), looks[by], where);
      const actions = createActions(page);
      const stateOf = async (id: number | undefined) =>
        (await app.query<{ status: string }>('SELECT status FROM contact_requests WHERE id = $1', [id]))[0]?.status;
      await page.getByRole('heading', { level: 2, name: `#${first}` }).waitFor();
      if (by === 'keys') await actions.press('e');
      else await actions.tap(page.getByRole('button', { name: '标为已解决', exact: true }));
      await page.getByRole('heading', { level: 2, name: `#${second}` }).waitFor();
      expect(actions.done()).toBe(1);
      if (by === 'keys') {
        await actions.press('a');
        await page.getByRole('dialog').locator('input:focus').waitFor();
        await actions.press('Enter');
      } else {
        await actions.tap(page.getByRole('button', { name: '创建账号' }));
        await actions.tap(page.getByRole('dialog').locator('button[type=submit]'));
      }
      await page.getByRole('dialog').getByText('One-time password', { exact: true }).first().waitFor();
      expect(actions.done()).toBe(2);
      expect(await stateOf(second)).toBe('resolved');
      await expect.poll(() => stateOf(first), { timeout: 15_000 }).toBe('resolved'); // until then it can be undone
    },
  );

  test.each(['keys', 'taps'] as const)('J10: create thirty accounts and print their passwords with %s', async (by) => {
    const { page } = await app.openAs(await app.createAccount({ role: 'admin' }), looks[by], '/admin/users/new');
    const actions = createActions(page);
    const prints = await countPrints(page);
    const isEnglish = by === 'keys';
    const list = page.getByRole('textbox', { name: isEnglish ? 'One user per line' : '每行一个用户' });
    await expect.poll(() => list.and(page.locator(':focus')).count()).toBe(1);
    await actions.paste(Array.from({ length: 30 }, (_, n) => `${by} ${n}\t${by}.pupil${n}@example.org`).join('\n'));
    await actions.choose(by, page.getByRole('button', { name: isEnglish ? 'Create 30 accounts' : '创建 30 个账号' }));
    await page.getByText('一次性密码').first().waitFor();
    await actions.choose(by, page.getByRole('button', { name: isEnglish ? 'Print' : '打印' }));
    expect(actions.done()).toBe(3);
    expect(await prints.count()).toBe(1);
    const [{ count = 0 } = {}] = await app.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM users WHERE username LIKE $1',
      [`${by}.pupil%`],
    );
    expect(count).toBe(30);
  });

  test.each(['keys', 'taps'] as const)(
    'a class of thirty, from a pasted list to printed slips, with %s',
    async (by) => {
      const { page } = await app.openAs(await app.createAccount({ role: 'admin' }), looks[by]);
      const actions = createActions(page);
      const prints = await countPrints(page);
      const isEnglish = by === 'keys';
      await actions.choose(by, page.getByRole('link', { name: isEnglish ? 'Students' : '学生', exact: true }).first());
      await actions.choose(by, page.getByRole('link', { name: isEnglish ? 'Add students' : '添加学生' }));
      const list = page.getByRole('textbox', { name: isEnglish ? 'One user per line' : '每行一个用户' });
      await expect.poll(() => list.and(page.locator(':focus')).count()).toBe(1);
      await actions.paste(Array.from({ length: 30 }, (_, n) => `${by} ${n}\t${by}.novice${n}@example.org`).join('\n'));
      await page.getByRole('combobox', { name: isEnglish ? 'Class' : '班级' }).selectOption({ value: 'new' });
      await page.getByRole('textbox', { name: isEnglish ? 'Name of the new class' : '新班级名称' }).focus();
      await actions.type(`Class of ${by}`);
      await actions.choose(by, page.getByRole('button', { name: isEnglish ? 'Create 30 accounts' : '创建 30 个账号' }));
      await page
        .getByRole('img', { name: isEnglish ? `QR code of the sign-in page for ${by} 29` : `${by} 29 的登录页二维码` })
        .waitFor();
      await actions.choose(by, page.getByRole('button', { name: isEnglish ? 'Print' : '打印' }));
      const ofClass = 1;
      expect(actions.done() + ofClass).toBeLessThanOrEqual(10);
      expect(await prints.count()).toBe(1);
      const members = await app.query(
        'SELECT count(*)::int AS count FROM group_members m JOIN groups g ON g.id = m.group_id WHERE g.name = $1',
        [`Class of ${by}`],
      );
      expect(members).toEqual([{ count: 30 }]);
    },
  );

  test.each(['keys', 'taps'] as const)('everybody who is behind is found and written to with %s', async (by) => {
    const student = await app.createAccount({ display_name: `Late ${by}` });
    const id = await createProject(app, owner, `Due ${by}`, 'active', {
      ...{
        target_hours: 100,
        target_scope: 'each',
        due_date: new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10),
      },
    });
    await app
      .as(owner)
      .put(`/api/projects/${id}`, { assigned_user_ids: [student.id] })
      .expect(200);
    // A goal that was never started is behind after a week.
    const tenDaysAgo = `now() - interval '10 days'`;
    await app.query(`UPDATE project_assignments SET assigned_at = ${tenDaysAgo} WHERE project_id = $1`, [id]);
    await app.query(`UPDATE projects SET plan_started_at = ${tenDaysAgo} WHERE id = $1`, [id]);
    const { page } = await app.openAs(await app.createAccount({ role: 'admin' }), looks[by]);
    const actions = createActions(page);
    const isEnglish = by === 'keys';
    const table = page.getByRole('table', { name: isEnglish ? 'Students' : '学生' });
    await actions.choose(by, page.getByRole('link', { name: isEnglish ? 'Students' : '学生', exact: true }).first());
    await actions.choose(by, page.getByRole('button', { name: isEnglish ? /^Behind/ : /^落后/ }));
    // The list is filtered a moment later; a selection before that is of the earlier one.
    await page
      .getByRole('heading', { level: 1 })
      .getByText(isEnglish ? /\d of \d/ : /名中的/)
      .waitFor();
    await table.getByRole('link', { name: `Late ${by}` }).waitFor();
    if (by === 'taps') await page.getByRole('checkbox', { name: '选择 Late taps' }).check();
    else await page.getByRole('checkbox', { name: 'Select all' }).check();
    const write = page
      .getByRole('region', { name: isEnglish ? 'Selected students' : '已选学生' })
      .getByRole('link', { name: isEnglish ? /^Write to/ : /^写邮件/ });
    await expect
      .poll(() => write.getAttribute('href'))
      .toContain(encodeURIComponent(student.email).replace('%40', '@').slice(0, 5));
    const [selecting, writing] = [1, 1];
    expect(actions.done() + selecting + writing).toBeLessThanOrEqual(4);
  });

  test.each(['keys', 'taps'] as const)('J12: export own records and print own statistics with %s', async (by) => {
    const { page, actions } = await openStudent(by);
    const isEnglish = by === 'keys';
    await actions.choose(by, page.getByRole('link', { name: isEnglish ? 'Calendar' : '日历', exact: true }));
    await actions.choose(by, page.getByRole('button', { name: isEnglish ? 'List' : '列表', exact: true }));
    const downloading = page.waitForEvent('download');
    await actions.choose(by, page.getByRole('button', { name: isEnglish ? 'Export CSV' : '导出 CSV' }));
    const file = await textOf(await downloading);
    expect(file).toContain('"Mechanics"');
    expect(actions.done(), 'the file').toBe(3);
    const prints = await countPrints(page);
    await actions.choose(by, page.getByRole('link', { name: isEnglish ? 'Statistics' : '统计', exact: true }));
    await actions.choose(by, page.getByRole('button', { name: isEnglish ? 'Print' : '打印' }));
    expect(await prints.count()).toBe(1);
    expect(actions.done(), 'the sheet').toBe(2);
  });
});
