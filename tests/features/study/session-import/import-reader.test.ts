import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inspectFile, readRows } from '../../../../src/features/study/session-import/file/file-reading.ts';
import { fileLimits } from '../../../../src/features/study/session-import/file/import-reader.ts';
import { importBody } from '../../../../src/features/study/session-import/import-status-schemas.ts';
import { ValidationError } from '../../../../src/texts/errors.ts';
import { isWithin, watchEventLoop } from '../../../support/processor-time.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'import-reader-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Enough for the most rows. How long the event loop waits does not depend on the size. */
const size = 512 * 1024;
const head = 'project_name,started_at,ended_at,note';
const times = '2026-02-01T08:00:00Z,2026-02-01T09:00:00Z';
const names = (number: number) => Array.from({ length: number }, (_, index) => `c${index}`).join(',');
const fill = (text: string, bytes = size) => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));

/** Reads and validates every row of a file; returns the result and the longest delay of the event loop. */
async function read(content: string | Buffer) {
  const file = path.join(folder, 'records.csv');
  await writeFile(file, content);
  await setImmediate();
  const eventLoop = watchEventLoop();
  const options = importBody.parse({});
  const reading = { person: { id: 1, names: [] }, zone: 'UTC', rules: { offsetAt: () => 0 }, options };
  const wrong = new Set<string>();
  let rows = 0;
  let outcome = 'accepted';
  try {
    const facts = await inspectFile(file, options, new Date());
    for await (const { read: found } of readRows(file, facts, reading)) {
      rows += 1;
      if ('errors' in found) for (const { field, message } of found.errors) wrong.add(`${field} ${message.key}`);
    }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    outcome = error.details.map(({ message }) => message.key).join();
  }
  await setImmediate();
  eventLoop.stop();
  return { rows, outcome, wrong: [...wrong], longest: eventLoop.longest() };
}

const marks = (number: number) => `a${'\u0301'.repeat(number)}${'\u0316'.repeat(number)}`;

describe('no file blocks the event loop', () => {
  test.each<[string, () => string, object]>([
    [
      '1,003 columns and 4,000 short rows',
      () => `${names(1_003)}\n${'x\n'.repeat(4_000)}`,
      { outcome: 'import_too_many_columns' },
    ],
    [
      '15,000 columns and 2,000 short rows',
      () => `${names(15_000)}\n${'x\n'.repeat(2_000)}`,
      { outcome: 'import_unknown_columns' },
    ],
    ['64 columns and short rows', () => `${head},${names(60)}\n${fill('x\n')}`, { outcome: 'import_too_many_rows' }],
    ['short rows under four columns', () => `${head}\n${fill('x\n')}`, { outcome: 'import_too_many_rows' }],
    [
      '64 columns and full rows',
      () => `${head},${names(60)}\n${fill(`x${','.repeat(63)}\n`)}`,
      { outcome: 'accepted' },
    ],
    ['commas', () => fill(','), { outcome: 'import_row_too_long' }],
    ['quotes', () => fill('"'), { outcome: 'import_row_too_long' }],
    ['one line', () => fill('x'), { outcome: 'import_row_too_long' }],
    ['one quoted cell of newlines', () => `a\n"${fill('\n')}`, { outcome: 'import_unknown_columns' }],
    ['quoted newlines', () => `${head}\n${fill(`"${'\n'.repeat(3_000)}"\n`)}`, { outcome: 'accepted' }],
    ['empty lines', () => `${head}\n${fill('\n')}`, { outcome: 'accepted', rows: 0 }],
    ['rows of separators only', () => `${head}\n${fill(',\n')}`, { outcome: 'import_too_many_rows' }],
    [
      'unordered combining marks',
      () => `${head}\n${fill(`P,${times},${marks(1_000)}\n`)}`,
      { wrong: ['note import_marks'] },
    ],
    ['shorter runs of them', () => `${head}\n${fill(`P,${times},${marks(900)}\n`)}`, { wrong: ['note import_marks'] }],
    [
      'many of them in project names',
      () => `${head}\n${fill(`${marks(99)},${times},\n`)}`,
      { wrong: ['project import_marks'] },
    ],
    [
      'the longest valid rows',
      () => `${head}\n${fill(`P,${times},${'e\u0301'.repeat(500)}\n`)}`,
      { outcome: 'accepted', wrong: [] },
    ],
  ])('%s', async (_name, make, expected) => {
    const found = await read(make());
    expect(found).toMatchObject(expected);
    // The target is 50; the margin is for slow processors.
    expect(found.longest).toSatisfy(isWithin(250));
  });
});

test('the parser builds no error for rows of other lengths than the header', async () => {
  const built = vi.spyOn(Error, 'captureStackTrace');
  const { rows } = await read(`${head}\n${'x\n'.repeat(2_000)}${`P,${times},note,more\n`.repeat(2_000)}`);
  const { length } = built.mock.calls.filter(([error]) => String(Reflect.get(error, 'name')) === 'Error');
  built.mockRestore();
  expect(rows).toBe(4_000);
  expect(length).toBeLessThan(100);
});

test('accepts a file with the maximum number of rows, and of columns', async () => {
  const most = `${head}\n${'x\n'.repeat(fileLimits.rows)}`;
  expect(await read(most)).toMatchObject({ rows: fileLimits.rows, outcome: 'accepted' });
  expect(await read(`${most}x\n`)).toMatchObject({ outcome: 'import_too_many_rows' });
  const others = fileLimits.columns - 4;
  const wide = `${head},${names(others)}\n${`P,${times},${','.repeat(others)}\n`.repeat(100)}`;
  expect(await read(wide)).toMatchObject({ rows: 100, outcome: 'accepted', wrong: [] });
});

test.each([
  [
    'a year 0',
    `P,0000-02-01T08:00:00Z,0000-02-01T09:00:00Z,`,
    ['started_at session_too_early', 'ended_at session_too_early'],
  ],
  [
    'a year after 9999',
    `P,9999-12-31T23:59:59-10:00,9999-12-31T23:59:59-10:00,`,
    ['started_at session_in_future', 'ended_at session_in_future'],
  ],
  ['NUL in a project name', `P\u0000,${times},`, ['project invalid_text']],
  ['NUL in a note', `P,${times},a\u0000`, ['note invalid_text']],
  ['NUL in an ignored column', `P,${times},,x\u0000`, ['extra invalid_text']],
])('%s is an error of its row', async (_name, row, wrong) => {
  expect(await read(`${head},extra\n${row}\n`)).toMatchObject({ rows: 1, wrong });
});

test('rejects years of reports that PostgreSQL cannot represent', async () => {
  const report = (year: string) => `project,start date,start time,duration\nP,${year}-02-01,08:00:00,01:00:00\n`;
  expect((await read(report('0000'))).wrong).toEqual(['started_at session_too_early', 'ended_at session_too_early']);
  expect((await read(report('9999'))).wrong).toEqual([]);
});

test('columns named like properties of Object.prototype are ordinary columns', async () => {
  expect(await read(`__proto__,constructor,${head}\na,b,P,${times},\n`)).toMatchObject({ rows: 1, wrong: [] });
});
