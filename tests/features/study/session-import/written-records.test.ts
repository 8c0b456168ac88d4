import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspectFile, readRows } from '../../../../src/features/study/session-import/file/file-reading.ts';
import { importBody } from '../../../../src/features/study/session-import/import-status-schemas.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'written-records-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A local time, in UTC. */
type Write = (date: Date) => string;
const two = (number: number) => String(number).padStart(2, '0');
const intl = (language: string, options: Intl.DateTimeFormatOptions): Write => {
  const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options });
  return (date) => format.format(date);
};
const iso: Write = (date) => date.toISOString().slice(0, 10);
const [h, m, s] = [
  (d: Date) => d.getUTCHours(),
  (d: Date) => two(d.getUTCMinutes()),
  (d: Date) => two(d.getUTCSeconds()),
];
const serialOf = (date: Date) => (date.getTime() - Date.UTC(1899, 11, 30)) / 86_400_000;

const days: Record<string, readonly Write[]> = {
  en: [
    iso,
    (date) => iso(date).replaceAll('-', '/'),
    (date) => iso(date).replaceAll('-', ''),
    (date) => `${iso(date)} 00:00:00`,
    (date) => `${iso(date)}T00:00:00.000Z`,
    (date) => String(serialOf(date)),
    (date) => `\u200E${iso(date)}\u200F`,
    ...[
      intl('en-GB', { dateStyle: 'long' }),
      intl('en-US', { dateStyle: 'full' }),
      intl('en-US', { dateStyle: 'medium' }),
    ],
    intl('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
    (date) => intl('en-GB', { dateStyle: 'medium' })(date).replaceAll(' ', '-'),
    (date) => intl('en-GB', { dateStyle: 'medium' })(date).replaceAll(' ', '/'),
    (date) => intl('en-GB', { day: 'numeric', month: 'short', year: '2-digit' })(date).replaceAll(' ', '-'),
  ],
  zh: [
    ...[iso, intl('zh', { dateStyle: 'long' }), intl('zh', { dateStyle: 'full' }), intl('zh', { dateStyle: 'medium' })],
    (date) =>
      intl('zh', { dateStyle: 'long' })(date).replace(/\d/g, (digit) =>
        String.fromCodePoint(digit.charCodeAt(0) + 0xfee0),
      ),
    (date) => `${intl('zh', { weekday: 'short' })(date)} ${iso(date)}`,
  ],
  de: [
    ...[
      iso,
      intl('de', { dateStyle: 'short' }),
      intl('de', { dateStyle: 'medium' }),
      intl('de', { dateStyle: 'long' }),
    ],
    intl('de', { dateStyle: 'full' }),
    intl('de', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
  ],
};
/** Times of a day with full seconds, which those without seconds round down: records begin at full minutes. */
const times: Record<string, readonly Write[]> = {
  en: [
    ...[
      (d: Date) => `${h(d)}:${m(d)}`,
      (d: Date) => `${two(h(d))}:${m(d)}:${s(d)}`,
      (d: Date) => `${two(h(d))}${m(d)}`,
    ],
    (d) => `1899-12-30 ${two(h(d))}:${m(d)}:00`,
    ...[intl('en-US', { timeStyle: 'short' }), intl('en-US', { timeStyle: 'medium' })],
    (d) => intl('en-US', { timeStyle: 'short' })(d).toLowerCase().replace(/\s/g, ''),
    (d) => intl('en-US', { timeStyle: 'short' })(d).replace('AM', 'a.m.').replace('PM', 'p.m.'),
  ],
  zh: [
    (d) => `${two(h(d))}：${m(d)}`,
    (d) => `${h(d)}点${m(d)}分`,
    (d) => `${h(d) < 12 ? '上午' : '下午'}${h(d) % 12 || 12}:${m(d)}`,
    (d) => `${partOf(h(d))} ${h(d) % 12 || 12}:${m(d)}:00`,
    intl('zh', { timeStyle: 'medium' }),
  ],
  de: [
    (d) => `${two(h(d))}.${m(d)}`,
    (d) => `${two(h(d))}:${m(d)} Uhr`,
    (d) => `${h(d)} Uhr ${m(d)}`,
    (d) => `${h(d)}h${m(d)}`,
  ],
};
const partOf = (hour: number) =>
  hour < 5 ? '凌晨' : hour < 9 ? '早上' : hour < 11 ? '上午' : hour < 13 ? '中午' : hour < 18 ? '下午' : '晚上';

/** Durations of whole minutes. */
const durations: Record<string, readonly ((minutes: number) => string)[]> = {
  en: [
    (n) => `${Math.floor(n / 60)}:${two(n % 60)}`,
    (n) => `${two(Math.floor(n / 60))}:${two(n % 60)}:00`,
    (n) => `${Math.floor(n / 60)}h ${n % 60}m`,
    (n) => `PT${Math.floor(n / 60)}H${n % 60}M`,
    (n) => `${n} min`,
    (n) => `${n * 60}s`,
    (n) => `${n * 60_000} ms`,
  ],
  zh: [(n) => `${Math.floor(n / 60)}小时${n % 60}分`, (n) => `${n}分钟`, (n) => `${n * 60} 秒`],
  de: [
    (n) => `${Math.floor(n / 60)} Std. ${n % 60} Min.`,
    (n) => `${n} Minuten`,
    (n) => `${(n / 60).toFixed(4).replace('.', ',')} Std.`,
  ],
};
const units = [
  ['Duration (h)', (n: number) => (n / 60).toFixed(4)],
  ['Duration (min)', (n: number) => String(n)],
  ['duration_seconds', (n: number) => String(n * 60)],
  ['Time Spent (ms)', (n: number) => String(n * 60_000)],
] as const;
const heads: Record<string, string> = {
  en: 'Project,Date,Start time,End time',
  zh: '项目,日期,开始时间,结束时间',
  de: 'Projekt,Datum,Startzeit,Endzeit',
};
const lengths: Record<string, string> = { en: 'Duration', zh: '时长', de: 'Dauer' };

const cell = (text: string) => `"${text}"`;

/** Starts and ends of the rows of a file, and whether their order was guessed. */
async function readFile(lines: readonly string[]) {
  const file = path.join(folder, 'records.csv');
  await writeFile(file, lines.join('\n'));
  const options = importBody.parse({ create_projects: 'true' });
  const facts = await inspectFile(file, options, now);
  const spans: (readonly [string, string] | string)[] = [];
  for await (const { row, read } of readRows(file, facts, {
    person: { id: 1, names: [] },
    zone: 'UTC',
    rules: { offsetAt: () => 0 },
    options,
  }))
    spans.push('draft' in read ? [read.draft.started, read.draft.ended] : `row ${row} is refused: ${lines[row - 1]}`);
  return { spans, isGuessed: facts.isOrderGuessed, order: facts.reading.order };
}
const spansOf = async (lines: readonly string[]) => (await readFile(lines)).spans;

/** Records on days of their own, in the last years. */
const records = fc.uniqueArray(fc.integer({ min: 0, max: 1_200 }), { minLength: 20, maxLength: 60 }).chain((offsets) =>
  fc.tuple(
    ...offsets
      .sort((a, b) => a - b)
      .map((offset) =>
        fc.record({
          start: fc
            .integer({ min: 0, max: 22 * 60 })
            .map((minute) => new Date(Date.UTC(2023, 5, 1 + offset) + minute * 60_000)),
          minutes: fc.integer({ min: 1, max: 110 }),
          seed: fc.nat(1_000_000),
        }),
      ),
  ),
);
const one = <Item>(items: readonly Item[], seed: number) => items[seed % items.length] as Item;

describe.each(['en', 'zh', 'de'])('in %s', (language) => {
  const [writtenDays, writtenTimes, writtenLengths] = [
    days[language] ?? [],
    times[language] ?? [],
    durations[language] ?? [],
  ];
  const expected = (given: readonly { start: Date; minutes: number }[]) =>
    given.map(
      ({ start, minutes }) =>
        [start.toISOString(), new Date(start.getTime() + minutes * 60_000).toISOString()] as const,
    );
  const dayOf = (start: Date) => new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()));

  const near = (found: readonly (readonly [string, string] | string)[]) =>
    found.map((span) => (typeof span === 'string' ? span : [span[0], Math.round(Date.parse(span[1]) / 1000)]));

  test('records in every known way, mixed, are those that were written', async () => {
    await fc.assert(
      fc.asyncProperty(records, async (given) => {
        const ends = given.map(({ start, minutes, seed }) => {
          const end = new Date(start.getTime() + minutes * 60_000);
          const time = (moment: Date, shift: number) => cell(one(writtenTimes, seed + shift)(moment));
          return `A one,${cell(one(writtenDays, seed)(dayOf(start)))},${time(start, 0)},${time(end, 1)}`;
        });
        expect(await spansOf([heads[language] ?? '', ...ends])).toEqual(expected(given));
        const sized = given.map(({ start, minutes, seed }) => {
          const day = cell(one(writtenDays, seed)(dayOf(start)));
          return `A one,${day},${cell(one(writtenTimes, seed)(start))},,${cell(one(writtenLengths, seed)(minutes))}`;
        });
        expect(near(await spansOf([`${heads[language]},${lengths[language]}`, ...sized]))).toEqual(
          near(expected(given)),
        );
        const [header, write] = one(units, given.length);
        const numbered = given.map(({ start, minutes, seed }) => {
          const whole = `${one(writtenDays.slice(0, 3), seed)(dayOf(start))} ${one(writtenTimes.slice(0, 3), seed)(start)}`;
          return `A one,${cell(whole)},${write(minutes)}`;
        });
        const spans = await spansOf([`Project,Start,${header}`, ...numbered]);
        expect(near(spans)).toEqual(near(expected(given)));
      }),
      { numRuns: 10 },
    );
  });
});

test('the reading of dates with numbers only is always reported', async () => {
  const orders = {
    day_first: (d: Date) => `${d.getUTCDate()}/${d.getUTCMonth() + 1}/${d.getUTCFullYear()}`,
    month_first: (d: Date) => `${d.getUTCMonth() + 1}/${d.getUTCDate()}/${String(d.getUTCFullYear()).slice(2)}`,
    year_first: (d: Date) => iso(d).slice(2),
  };
  await fc.assert(
    fc.asyncProperty(
      records,
      fc.constantFrom(...(Object.keys(orders) as (keyof typeof orders)[])),
      async (given, order) => {
        const rows = given.slice(0, 4).map(({ start }) => `A one,${orders[order](start)},${h(start)}:${m(start)},0:01`);
        const { spans, isGuessed, order: found } = await readFile(['Project,Date,Start time,Duration', ...rows]);
        const expected = given.slice(0, 4).map(({ start }) => start.toISOString());
        const isRefused = spans.some((span) => typeof span === 'string');
        if (!isGuessed && !isRefused) expect([found, spans.map(([start]) => start)]).toEqual([order, expected]);
      },
    ),
    { numRuns: 100 },
  );
});
