import type { Page } from 'playwright-core';
import {
  administrator,
  type Bench,
  openContext,
  openPage,
  type Row,
  readFigures,
  signIn,
  slowDown,
  student,
} from './page.ts';

/** Signs in and opens a page. */
async function open(bench: Bench, username: string, path: string, processor = 1): Promise<Page> {
  const page = await openPage(await openContext(bench, { viewport: { width: 1280, height: 800 } }));
  await signIn(page, username, bench.password);
  await page.goto(path, { waitUntil: 'networkidle' });
  await slowDown(page, processor);
  return page;
}

/** The interactions so far; the browser reports those under 16 ms only as a count. */
async function interactionsOf(page: Page) {
  await page.evaluate('new Promise((done) => requestIdleCallback(done))');
  const { interactions } = await readFigures(page);
  const number = Number(await page.evaluate('performance.interactionCount'));
  const reported = Object.values(interactions).sort((a, b) => b.duration - a.duration);
  const at = reported[Math.floor(number * 0.02)]?.duration ?? 16;
  const slowest = reported.slice(0, 3).map(({ name, duration }) => `${name} ${duration}`);
  return { number, at, slowest: slowest.join(', ') };
}

const rowOf = (what: string, goal: string, figures: Awaited<ReturnType<typeof interactionsOf>>): Row => ({
  what,
  measured: `p98 ${figures.at} ms of ${figures.number} interactions (slowest: ${figures.slowest})`,
  goal,
});

/** Uses selection, ranges, filters and staged changes of the assignment board. */
async function useBoard(page: Page): Promise<void> {
  const grid = (name: string) => page.getByRole('grid', { name, exact: true });
  for (const name of ['Projects', 'Students']) {
    await grid(name).getByRole('row').first().waitFor();
    await grid(name).focus();
    for (const key of ['ArrowDown', 'Space', 'ArrowDown', 'Space', 'PageDown', 'PageDown', 'End', 'Home', 'Control+a'])
      await page.keyboard.press(key);
    for (let row = 0; row < 10; row += 1) await page.keyboard.press('Shift+ArrowDown');
  }
  for (const name of ['Search students', 'Search projects'])
    await page.getByRole('searchbox', { name }).pressSequentially('person 12', { delay: 30 });
  await page.getByRole('button', { name: 'Discard' }).click();
}

export async function measureBoard(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [processor, goal] of [
    [1, '100 ms'],
    [4, '200 ms'],
  ] as const) {
    const page = await open(bench, administrator, '/admin/assign', processor);
    await useBoard(page);
    rows.push(rowOf(`board, 5,000 × 1,000, processor ÷ ${processor}`, goal, await interactionsOf(page)));
    await page.context().close();
  }
  return rows;
}

export async function measureTyping(bench: Bench): Promise<Row[]> {
  const page = await open(bench, student, '/projects');
  await page.getByRole('searchbox').first().pressSequentially('algebra exercises', { delay: 40 });
  const figures = await interactionsOf(page);
  await page.context().close();
  return [rowOf('typing in a search field', '50 ms', figures)];
}

/** Heap size before and after many navigations, each after a garbage collection. */
export async function measureHeap(bench: Bench): Promise<Row[]> {
  const page = await open(bench, student, '/');
  const session = await page.context().newCDPSession(page);
  const used = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1024 / 1024;
  };
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  const go = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      const name = ['Projects', 'Records', 'Statistics', 'Today'][n % 4] ?? 'Today';
      await navigation.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
  };
  await go(20);
  const before = await used();
  await go(200);
  const after = await used();
  await page.context().close();
  return [{ what: 'heap over 200 navigations', measured: `${(after - before).toFixed(1)} MB more`, goal: '2 MB' }];
}
