import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { seededRandom } from '../support/random.ts';
import { startTcpProxy } from '../support/servers/tcp-proxy.ts';
import { serveOutboxPage } from '../support/web/outbox-page.ts';
import { noBrowser, startWebApp, type WebApp } from '../support/web/web-app.ts';

type Row = { note: string; started_at: string; ended_at: string; source: 'manual' | 'timer' };
type Write = () => Promise<void>;

const [records, timers] = [360, 35];
const seed = Number(process.env['NO_LOSS_SEED'] ?? 20_261_122);
const [minute, hour] = [60_000, 3_600_000];

describe.skipIf(noBrowser)(`writes with failing network, server and database ${noBrowser || ''}`, () => {
  let database: TestDatabase;
  let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
  let app: WebApp;
  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startTcpProxy(database.url);
    app = await startWebApp({ databaseUrl: proxy.url });
  });
  afterAll(async () => {
    await app?.stop();
    await proxy?.stop();
    await database?.drop();
  });

  /** Opens three tabs of one user. */
  async function openTabs() {
    const account = await app.createAccount();
    const [{ id: project_id = 0 } = {}] = await app.query<{ id: number }>(
      `INSERT INTO projects (name, user_id) VALUES ('Guitar', $1) RETURNING id`,
      [account.id],
    );
    const context = await app.openContext();
    await serveOutboxPage(context);
    const tabs = await Promise.all([1, 2, 3].map(() => context.newPage()));
    for (const tab of tabs) await tab.goto('/outbox-page');
    const credentials = { username: account.username, password: account.password, keep_signed_in: false };
    await tabs[0]?.evaluate(`page.signIn(${JSON.stringify(credentials)})`);
    return { account, project_id, context, tabs };
  }

  test(`none of ${records + 4 * timers} writes is lost or duplicated (seed ${seed})`, async () => {
    const { account, project_id, context, tabs } = await openTabs();
    const [random, requestRandom] = [seededRandom(seed), seededRandom(seed + 1)];
    const faults = { unsent: 0, dropped: 0, offline: 0, reloads: 0, outages: 0 };
    const [timerTab] = tabs as [Page];
    const randomTab = () => tabs[Math.floor(random() * tabs.length)] as Page;

    let isHealthy = false;
    async function injectFault(route: Route): Promise<unknown> {
      const value = isHealthy ? 1 : requestRandom();
      if (value < 0.08) {
        faults.unsent += 1;
        return route.abort('connectionreset');
      }
      if (value > 0.2) return route.fallback();
      await route.fetch();
      faults.dropped += 1;
      return route.abort('connectionreset');
    }
    await context.route(/\/api\//, (route) => injectFault(route).catch(() => undefined)); // the tab may have been reloaded

    let isOffline = false;
    let isDown = false;
    const setOffline = (next: boolean) => {
      isOffline = next;
      return context.setOffline(next);
    };
    async function setDown(next: boolean): Promise<void> {
      isDown = next;
      if (next) await proxy.stop();
      else proxy = await startTcpProxy(database.url, proxy.port);
    }
    async function injectOutages(): Promise<void> {
      if (random() < (isOffline ? 0.15 : 0.03)) {
        if (!isOffline) faults.offline += 1;
        await setOffline(!isOffline);
      }
      if (random() < (isDown ? 0.06 : 0.012)) {
        if (!isDown) faults.outages += 1;
        await setDown(!isDown);
      }
      if (!isOffline && random() < 0.02) {
        faults.reloads += 1;
        await randomTab().reload();
        await resumeTabs();
      }
    }

    /** Simulates a returning network or "Try again". */
    const resumeTabs = () =>
      Promise.all(
        tabs.map((tab) =>
          tab.evaluate(`page.session.get().state === 'in' ? dispatchEvent(new Event('online')) : page.resume()`),
        ),
      );
    const signedIn = async (tab: Page) => {
      for (let tries = 0; tries < 200; tries += 1) {
        if ((await tab.evaluate('page.session.get().state')) === 'in') return;
        if (isOffline) await setOffline(false);
        if (isDown) await setDown(false);
        await tab.evaluate('page.resume()');
      }
      throw new Error('the sign-in was lost');
    };
    const run = async (tab: Page, call: string) => {
      await signedIn(tab);
      // Not awaited: the entry must survive an immediate reload.
      await tab.evaluate(`void page.outbox.${call}.catch((error) => console.error(error.message))`);
    };

    const expected: Row[] = [];
    const errors: string[] = [];
    const now = Date.now();
    const at = (milliseconds: number) => new Date(milliseconds).toISOString();

    const addRecord = (index: number): Write => {
      const start = now - 40 * 24 * hour + index * hour;
      const record = { started_at: at(start), ended_at: at(start + 30 * minute), note: `Record ${index}` };
      expected.push({ ...record, source: 'manual' });
      return () => run(randomTab(), `addRecord(${JSON.stringify({ project_id, project_name: 'Guitar', ...record })})`);
    };

    /** The writes of a timer: start, note, moved start, stop. */
    const runTimer = (index: number): Write[] => {
      const start = now - 10 * hour + index * 5 * minute; // after 12 hours the service would stop it
      const [started_at, ended_at, moved] = [at(start), at(start + 2 * minute), at(start - minute)];
      const note = `Timer ${index}`;
      expected.push({ started_at: moved, ended_at, note, source: 'timer' });
      const timer = { project_id, project_name: 'Guitar', started_at, note: '' };
      /** Writes once a page would offer it, by the timer of the outbox or of the service. */
      const once = (condition: string, write: string) => async () => {
        for (let tries = 0; ; tries += 1) {
          if (tries > 500) throw new Error(`timer ${index} is not shown: ${errors.join('; ')}`);
          await signedIn(timerTab);
          const answer = await timerTab.evaluate(
            `(async () => {
              const isOffered = (timer) => ${condition};
              const show = (known) => page.withPending(known, page.outbox.all());
              let timer = show(undefined);
              if (!isOffered(timer)) timer = show((await page.api.get('/api/timer')).data);
              if (!isOffered(timer)) return 'not yet';
              void page.outbox.${write}.catch((error) => console.error(error.message));
              return 'written';
            })().catch(() => 'unknown')`,
          );
          if (answer === 'written') return;
          if (isOffline) await setOffline(false);
          if (isDown) await setDown(false);
        }
      };
      const change = (changes: object) =>
        once(
          `${JSON.stringify([started_at, moved])}.includes(timer?.started_at)`,
          `changeTimer(timer, ${JSON.stringify(changes)})`,
        );
      return [
        once('timer === null', `startTimer(${JSON.stringify(timer)})`), // the former one has stopped
        change({ note }),
        change({ started_at: moved }),
        change({ ended_at }),
      ];
    };

    const independent = Array.from({ length: records }, (_, index) => addRecord(index));
    const ordered = Array.from({ length: timers }, (_, index) => runTimer(index)).flat();
    for (const tab of tabs) tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    while (independent.length + ordered.length > 0) {
      await injectOutages();
      const next = random() * (independent.length + ordered.length) < independent.length ? independent : ordered;
      await next.shift()?.();
    }

    isHealthy = true;
    if (isOffline) await setOffline(false);
    if (isDown) await setDown(false);
    await expect
      .poll(
        async () => {
          await resumeTabs();
          return timerTab.evaluate('page.outbox.all()');
        },
        { timeout: 90_000, interval: 200 },
      )
      .toEqual([]);

    const rows = await database.sql.query<Row>(
      `SELECT note, started_at, ended_at, source FROM study_sessions WHERE user_id = $1 ORDER BY started_at`,
      [account.id],
    );
    const byStart = (a: Row, b: Row) => a.started_at.localeCompare(b.started_at);
    expect(rows).toEqual(expected.toSorted(byStart));
    expect(errors.filter((text) => !/Failed to (load|fetch)|net::/.test(text))).toEqual([]);
    for (const [what, times] of Object.entries(faults)) expect(times, what).toBeGreaterThan(0);
  }, 240_000);
});
