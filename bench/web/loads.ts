import type { BrowserContextOptions } from 'playwright-core';
import {
  type Bench,
  type Figures,
  median,
  openContext,
  openPage,
  type Row,
  readFigures,
  signIn,
  slowDown,
  student,
} from './page.ts';

type Visit = { path: string; state?: BrowserContextOptions['storageState'] };
const phone = { viewport: { width: 360, height: 740 } };

/** Loads a page with a cold cache, then with a warm one. */
async function visit(bench: Bench, { path, state }: Visit) {
  const context = await openContext(bench, { ...phone, ...(state === undefined ? {} : { storageState: state }) });
  const page = await openPage(context);
  await slowDown(page, 4, true);
  const figures: Figures[] = [];
  for (let time = 0; time < 2; time += 1) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate('new Promise((done) => requestIdleCallback(done))');
    figures.push(await readFigures(page));
  }
  const next = await context.storageState(); // it has a new refresh token
  await context.close();
  return { figures, state: next };
}

const rowsOf = (page: string, goal: string, runs: readonly Figures[][]): Row[] =>
  ['cold', 'warm'].map((kind, time) => {
    const of = (field: 'paint' | 'shift' | 'blocking') =>
      median(runs.map((figures) => figures[time]?.[field] ?? Number.NaN));
    return {
      what: `${page}, ${kind}`,
      measured: `paint ${of('paint').toFixed(0)} ms, shift ${of('shift').toFixed(3)}, blocking ${of('blocking').toFixed(0)} ms`,
      goal: `${time === 0 ? goal : '1,000'} ms, 0.05, 150 ms`,
    };
  });

/** Largest contentful paint, layout shift and blocking time of the first pages, on a slow phone. */
export async function measureLoads(bench: Bench): Promise<Row[]> {
  const context = await openContext(bench);
  await signIn(await openPage(context), student, bench.password);
  let state = await context.storageState();
  await context.close();
  const [contact, today]: [Figures[][], Figures[][]] = [[], []];
  for (let run = 0; run < bench.runs; run += 1) {
    contact.push((await visit(bench, { path: '/contact' })).figures);
    const visited = await visit(bench, { path: '/', state });
    state = visited.state;
    today.push(visited.figures);
  }
  return [...rowsOf('contact', '1,800', contact), ...rowsOf('Today, signed in', '2,500', today)];
}
