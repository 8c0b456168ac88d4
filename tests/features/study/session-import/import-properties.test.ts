import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readRecords } from '../../../../src/features/study/session-import/file/import-reader.ts';
import { prepareRecords } from '../../../../src/features/study/session-import/file/record-text.ts';
import { createTestClock, startTestApp, type TestApp } from '../../../support/test-app.ts';

const clock = createTestClock(new Date('2026-11-20T12:00:00.000Z'));
let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await startTestApp({ clock, settings: { RATE_LIMIT_PER_MINUTE: '0' } });
  folder = await mkdtemp(path.join(tmpdir(), 'import-properties-'));
});
afterAll(async () => {
  await app.stop();
  await rm(folder, { recursive: true });
});

const head = 'Project,Description,Start date,Start time,End date,End time,Duration,Email';
const fragments = fc.constantFrom(
  ...[
    head,
    '\n',
    '\r\n',
    '\r',
    ',',
    ';',
    '\t',
    '"',
    '""',
    'sep=;\n',
    '\0',
    '\uFEFF',
    'Algebra',
    '-',
    '2026-07-04',
    '7/4/26',
    '46207',
  ],
  ...[
    '09:00',
    '上午9:00',
    '0.375',
    '1:30',
    '1.5',
    'ann@example.org',
    '\u0301'.repeat(40),
    '[{"started_at":',
    '{"data":[',
    '}]}',
    'é',
  ],
);
const texts = fc.array(fragments, { maxLength: 60 }).map((parts) => parts.join(''));
const encoded = fc
  .tuple(texts, fc.constantFrom<BufferEncoding>('utf8', 'utf16le', 'latin1'))
  .map(([text, encoding]) => Buffer.from(text, encoding));
const files = fc.oneof(
  encoded,
  texts.map((text) => Buffer.from(`${head}\n${text}`)),
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  fc.tuple(encoded, fc.uint8Array({ maxLength: 20 })).map((parts) => Buffer.concat(parts)),
);

test('no file is an internal error, and a report accounts for every row', async () => {
  const user = await app.createUser({ timezone: 'Asia/Shanghai' });
  const options = fc.record({
    on_overlap: fc.constantFrom('skip', 'trim', 'stack'),
    dry_run: fc.constantFrom('true', 'false'),
    columns: fc.constantFrom(undefined, '{"project":"\\u0000"}', '{"start":"2026-07-04"}', '{"note":"Algebra"}'),
  });
  await fc.assert(
    fc.asyncProperty(files, options, async (file, fields) => {
      const request = app.as(user).post('/api/sessions/import').field('skip_invalid', 'true');
      request.field('create_projects', 'true').field('default_project', 'Other');
      for (const [name, value] of Object.entries(fields)) if (value !== undefined) request.field(name, value);
      const { status, body } = await request.attach('file', file, 'records.csv');
      expect([200, 400]).toContain(status);
      if (status === 400) return;
      const { rows, valid, imported, duplicates, skipped, invalid, left_out, errors } = body.data;
      expect(errors).toEqual([]);
      const taken = fields.dry_run === 'true' ? valid : imported;
      expect(taken + duplicates + skipped + invalid + left_out).toBe(rows);
    }),
    { numRuns: 40 },
  );
});

/** Texts without line breaks and separators that do not begin with a quote. */
const plain = fc.stringMatching(/^[a-zé上0-9][a-z "上0-9]{0,12}[a-z]$/);
const cell = fc.oneof(
  plain.map((text) => text.replaceAll('"', '')),
  plain.map((text) => text),
  plain.map((text) => `"${text.replaceAll('"', '""')},\n${text.replaceAll('"', '""')}"`),
  // Quotes that nothing closes.
  plain.map((text) => `"${text.replaceAll('"', '')}`),
);

test('every row of a file is read, wherever quotes are left open', async () => {
  const row = fc.tuple(fc.array(cell, { minLength: 2, maxLength: 4 }), fc.constantFrom('\n', '\r\n', '\r'));
  const rows = fc.array(row, { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom(',', ';', '\t'), async (given, separator) => {
      const separated = given.map(([cells, end]) => cells.join(separator).replaceAll(',', separator) + end);
      const file = path.join(folder, 'records.csv');
      await writeFile(file, `a${separator}b${separator}c\n${separated.join('')}`);
      const read = [];
      for await (const { row } of readRecords(file)) read.push(row);
      expect(read.slice(1)).toEqual(separated.map((_row, index) => index + 2));
    }),
    { numRuns: 100 },
  );
});

test('quotes are read alike however a text arrives, in pieces of limited length', async () => {
  const text = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', ' '), maxLength: 60 });
  async function rewritten(parts: readonly string[]): Promise<string[]> {
    const pieces: string[] = [];
    const source = (async function* () {
      yield* parts;
    })();
    for await (const piece of prepareRecords(source, ',', { record: 200, piece: 8 })) pieces.push(piece);
    return pieces;
  }
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 10 }), async (whole, size) => {
      const parts = whole.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      const [one, other] = [await rewritten([whole]), await rewritten(parts)];
      expect(other.join('')).toBe(one.join(''));
      expect(Math.max(0, ...one.map((piece) => piece.length))).toBeLessThanOrEqual(8);
      if (!whole.includes('"')) expect(one.join('')).toBe(whole);
    }),
    { numRuns: 500 },
  );
});

test('a row that is too long costs only that row', async () => {
  const file = path.join(folder, 'records.csv');
  const long = ['x'.repeat(41_000), ','.repeat(90_000), 'a,b,"x'.repeat(20_000)];
  await writeFile(file, ['a,b,c', ...long.flatMap((text) => ['P,1,2', `${text},3`]), 'P,1,2', ''].join('\n'));
  const read: [number, boolean][] = [];
  for await (const { row, cells } of readRecords(file))
    if (cells?.[0] === 'P' || cells === undefined) read.push([row, cells === undefined]);
  expect(read.map(([, isBroken]) => isBroken)).toEqual([false, true, false, true, false, true, false]);
});
