import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRosterCsv } from '../../../../src/features/school/roster/file/roster-csv.ts';
import { inspectFile, readRows } from '../../../../src/features/study/session-import/file/file-reading.ts';
import { importBody } from '../../../../src/features/study/session-import/import-status-schemas.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'foreign-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function save(bytes: Buffer | string): Promise<string> {
  const file = path.join(folder, 'table.csv');
  await writeFile(file, bytes);
  return file;
}

/** How programs store a table: the bytes of a text, what separates cells and rows, and whether every cell has quotes. */
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a mark': (text) => Buffer.from(`\uFEFF${text}`),
  'UTF-16 with a mark': (text) => utf16(`\uFEFF${text}`),
  'UTF-16, big endian': (text) => utf16(`\uFEFF${text}`).swap16(),
  'UTF-16 without a mark': utf16,
  GB18030: (text) => inBytesOf('gb18030', text),
  Big5: (text) => inBytesOf('big5', text),
};
const [simplified, traditional] = ['号账邮电学级备娜欧阳户', '號帳郵電學級備娜歐陽戶'];
/** What an encoding can write: GB18030 here has no French characters of two bytes, Big5 no simplified ones. */
function writableIn(encoding: string, text: string): string {
  if (encoding === 'Big5')
    text = text.replace(new RegExp(`[${simplified}]`, 'g'), (one) => traditional[simplified.indexOf(one)] ?? one);
  return encoding === 'GB18030' || encoding === 'Big5' ? text.replace('é', 'e') : text;
}
const form = fc.record({
  encoding: fc.constantFrom(...Object.keys(encodings)),
  separator: fc.constantFrom(',', ';', '\t'),
  newline: fc.constantFrom('\n', '\r\n', '\r'),
  isQuoted: fc.boolean(),
  says: fc.boolean(),
  titles: fc.integer({ min: 0, max: 2 }),
  empty: fc.integer({ min: 0, max: 2 }),
});
type Form = typeof form extends fc.Arbitrary<infer Of> ? Of : never;

/** Two bytes of a Chinese character, from a table that the decoder gives. */
const tables = new Map<string, Map<string, number[]>>();
function inBytesOf(encoding: string, text: string): Buffer {
  const table = tables.get(encoding) ?? new Map<string, number[]>();
  if (table.size === 0)
    for (let first = 0x81; first < 0xff; first += 1)
      for (let second = 0x40; second < 0xff; second += 1)
        if (second !== 0x7f) table.set(new TextDecoder(encoding).decode(Buffer.from([first, second])), [first, second]);
  tables.set(encoding, table);
  return Buffer.from(
    [...text].flatMap((one) => (one.charCodeAt(0) < 0x80 ? one.charCodeAt(0) : (table.get(one) ?? []))),
  );
}

function written(rows: readonly (readonly string[])[], { separator, newline, ...given }: Form): Buffer {
  const needsQuotes = new RegExp(`["\r\n${separator}]`);
  const cell = (text: string) => (given.isQuoted || needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const width = rows[0]?.length ?? 0;
  const lines = [
    ...(given.says ? [`sep=${separator}`] : []),
    ...Array.from({ length: given.titles }, (_, index) =>
      [`Title ${index}`, ...Array(width - 1).fill('')].join(separator),
    ),
    ...rows.map((cells) => cells.map(cell).join(separator)),
    ...Array.from({ length: given.empty }, () => separator.repeat(width - 1)),
  ];
  return encodings[given.encoding]?.(`${lines.join(newline)}${newline}`) ?? Buffer.alloc(0);
}

const headers = {
  username: ['username', 'User name', 'LOGIN', '用户名', '账号', 'Benutzername'],
  email: ['email', 'E-Mail', 'Email address', '邮箱', '电子邮箱', 'Adresse e-mail'],
  external_id: ['external_id', 'ID number', '学号', 'Matrikelnummer', 'idnumber'],
  first: ['First name', 'firstname', 'Vorname', 'Prénom', '名'],
  last: ['Last name', 'lastname', 'Nachname', 'surname', '姓'],
  group: ['group', 'Class', 'Klasse', '班级', 'cohort1'],
  city: ['City', 'Ort', '城市', 'profile_field_room', 'Name of the dog'],
  note: ['Remark', 'Bemerkung', '备注', 'suspended', '2nd e-mail address'],
} as const;
type Field = keyof typeof headers;
const fields = Object.keys(headers) as Field[];
const given = ['Bob', 'Ann-Marie', "Conan O'Brien", 'von der Au', '小明', '娜'];
const family = ['Chen', 'Smith; Jones', 'Li, the "younger"', 'Two\nLines', '欧阳', '王'];
const groups = ['Class 3b', '高一（2）班', '5a;Choir', ''];

const roster = fc.record({
  form,
  order: fc.shuffledSubarray(fields, { minLength: fields.length }),
  name: fc.nat(9),
  people: fc.array(fc.record({ first: fc.nat(5), last: fc.nat(5), group: fc.nat(3) }), { minLength: 3, maxLength: 6 }),
});

test('a roster in every form, its columns in any order and language: each value is read, each other column is listed', async () => {
  await fc.assert(
    fc.asyncProperty(roster, async ({ form: how, order, name, people }) => {
      const titleOf = (field: Field) => headers[field][name % headers[field].length] ?? '';
      // GB18030, Big5 and UTF-16 are recognised by Chinese characters.
      const inFile = (text: string) => writableIn(how.encoding, text);
      const titles = order.map(titleOf).map(inFile);
      const rows = people.map(
        ({ first, last, group }, index): Record<Field, string> => ({
          ...{ username: `user.${index}`, email: `user.${index}@example.org`, external_id: `00${index}` },
          ...{
            first: inFile(given[first] ?? ''),
            last: inFile(family[last] ?? ''),
            group: inFile(groups[group] ?? ''),
            city: '深圳',
            note: '',
          },
        }),
      );
      const file = await save(written([titles, ...rows.map((row) => order.map((field) => row[field]))], how));
      const found = await readRosterCsv(file);
      const refused = rows.flatMap((row, index) => (row.last.includes('\n') ? [index] : []));
      const isRead = (_row: unknown, index: number) => !refused.includes(index);
      expect(found.rows.map(({ row: _row, ...values }) => values)).toEqual(
        rows.filter(isRead).map(({ username, email, external_id, first, last, group }) => ({
          ...{ username, email, external_id },
          display_name: /[小娜]/.test(first) && /[欧歐王]/.test(last) ? `${last}${first}` : `${first} ${last}`,
          group_names: group.split(';').filter(Boolean),
        })),
      );
      expect([found.errors_count, found.errors.map(({ field }) => field)]).toEqual([
        refused.length,
        refused.map(() => 'display_name'),
      ]);
      expect(found.columns.unread.toSorted()).toEqual([titleOf('city'), titleOf('note')].map(inFile).toSorted());
    }),
    { numRuns: 150 },
  );
});

async function rosterOf(lines: readonly string[]) {
  const { rows, errors, columns } = await readRosterCsv(await save(lines.join('\n')));
  return {
    names: rows.map(({ display_name }) => display_name),
    groups: rows.map(({ group_names }) => group_names?.join() ?? null),
    errors: errors.map(
      ({ row, field, message }) => `${row} ${field} ${message.key} ${message.params?.['found'] ?? ''}`,
    ),
    unread: columns.unread,
  };
}

describe('a roster', () => {
  test('in which a name has a separator and no quotes loses no part of it', async () => {
    const { names, errors } = await rosterOf(['email,name', 'bob@example.org,Chen, Bob', 'ann@example.org,Ann,,']);
    expect(names).toEqual(['Ann']);
    expect(errors).toEqual(['2 file import_more_cells Bob']);
  });

  test('whose header has merged cells tells the columns without a name', async () => {
    const lines = ['email,name,,class,', 'bob@example.org,Bob,Chen,3b,', 'ann@example.org,Ann,,3b,'];
    expect((await rosterOf(lines)).unread).toEqual(['(C)']);
  });

  test('with errors of a spreadsheet is refused where they are', async () => {
    const values = ['#N/A', '#REF!', '#NAME?', '#NV', '#WERT!', '#DIV/0!', '#BEZUG!', '########'];
    const lines = values.map((value, index) => `u${index}@example.org,Ann ${index},${value}`);
    const { errors, names } = await rosterOf(['email,name,class', ...lines, 'x@example.org,#1 Ann,#1']);
    expect(errors).toEqual(values.map((value, index) => `${index + 2} group import_spreadsheet_error ${value}`));
    expect(names).toEqual(['#1 Ann']);
  });

  test.each([
    ['email,E-Mail,name', ['E-Mail']],
    ['email,name,name', ['name']],
    ['email,Vorname', ['Vorname']],
    ['email,name,first name', ['first name']],
    ['email,name,Notiz,notiz', ['Notiz', 'notiz']],
  ])('with the columns %s tells those that are not read', async (header, unread) => {
    expect((await rosterOf([header, 'a@example.org,Ann,b@example.org'])).unread).toEqual(unread);
  });
});

/** Starts, ends and notes of a file of records, its errors, and the columns that are not read. */
async function recordsOf(lines: readonly string[]) {
  const options = importBody.parse({ create_projects: 'true' });
  const file = await save(lines.join('\n'));
  const facts = await inspectFile(file, options, new Date('2026-11-28T12:00:00Z'));
  const read: string[] = [];
  const with_ = { person: { id: 1, names: [] }, zone: 'UTC', rules: { offsetAt: () => 0 }, options };
  for await (const { row, read: one } of readRows(file, facts, with_))
    read.push(
      'draft' in one
        ? `${one.draft.started.slice(5, 16)} ${one.draft.ended.slice(11, 16)} ${one.draft.note}`.trim()
        : `${row} ${'errors' in one ? one.errors.map(({ field, message }) => `${field} ${message.key}`).join() : ''}`,
    );
  return { read, unread: facts.layout.unread };
}

describe('a file of records', () => {
  test('with a decimal comma, separated by commas, is not read as full hours', async () => {
    const lines = ['Project,Start,Hours', 'Algebra,2026-11-27 09:00,1,5', 'Algebra,2026-11-27 12:00,"1,5"'];
    expect((await recordsOf(lines)).read).toEqual(['2 file import_more_cells', '11-27T12:00 13:30']);
  });

  test('in which a note has a separator and no quotes loses no part of it', async () => {
    const lines = ['Project,Start,End,Note', 'Algebra,2026-11-27 09:00,2026-11-27 10:00,Units 1, 2', ',,,,'];
    expect((await recordsOf(lines)).read).toEqual(['2 file import_more_cells']);
  });

  test('of which a column has no name tells its letter', async () => {
    const lines = ['Project,Start,Hours,,', 'Algebra,2026-11-27 09:00,1.5,x,', 'Algebra,2026-11-27 12:00,1,,'];
    expect(await recordsOf(lines)).toEqual({
      read: ['11-27T09:00 10:30', '11-27T12:00 13:00'],
      unread: ['(D)'],
    });
  });

  test('with an error of a spreadsheet creates no project of that name', async () => {
    const lines = ['Project,Start,Hours', '#N/A,2026-11-27 09:00,1.5', 'Algebra,########,1.5', 'Algebra,#REF!,1.5'];
    expect((await recordsOf(lines)).read).toEqual([
      ...['2 project import_spreadsheet_error', '3 started_at import_date', '4 started_at import_date'],
    ]);
  });
});
