import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine } from '../../src/lib/csv/csv.ts';
import { CsvFormatError, createCsvParser } from '../../src/lib/csv/csv-parser.ts';

const wide = { cells: 64, length: 4_000 };

/** The records of a text that arrives in chunks. */
function read(text: string, pieceLength = text.length, limits = wide): string[][] {
  const parser = createCsvParser(limits);
  const records: string[][] = [];
  for (let at = 0; at < text.length; at += pieceLength) records.push(...parser.push(text.slice(at, at + pieceLength)));
  return [...records, ...parser.end()];
}

function faultOf(text: string, limits = wide): string {
  try {
    read(text, 7, limits);
  } catch (error) {
    if (error instanceof CsvFormatError) return `${error.fault} ${error.record}`;
    throw error;
  }
  return 'none';
}

const character = fc.oneof(fc.constantFrom(...`",;'\r\n\t x`), fc.string({ unit: 'grapheme', maxLength: 1 }));
const text = fc.string({ unit: character, maxLength: 20 });

describe('the CSV parser', () => {
  test('returns the written rows, regardless of how the text is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(text, { minLength: 1, maxLength: 6 })),
        fc.integer({ min: 1, max: 9 }),
        (rows, cut) => {
          expect(read(rows.map(csvLine).join(''), cut)).toHaveLength(rows.length);
          const plain = rows.map((row) =>
            row.map((cell) => (/^['\s]*[=+\-@\t\r＝＋－＠]/.test(cell) ? `'${cell}` : cell)),
          );
          expect(read(rows.map(csvLine).join(''), cut)).toEqual(plain);
        },
      ),
    );
  });

  test('agrees with csv-parse on any text', () => {
    const small = fc.string({ unit: fc.constantFrom('"', ',', '\n', 'a', ' '), maxLength: 30 });
    fc.assert(
      fc.property(small, fc.integer({ min: 1, max: 9 }), (given, cut) => {
        let expected: string[][] | 'malformed';
        try {
          expected = parse(given, { relax_column_count: true, skip_empty_lines: true, record_delimiter: '\n' });
        } catch {
          expected = 'malformed';
        }
        let found: string[][] | 'malformed';
        try {
          found = read(given, cut);
        } catch {
          found = 'malformed';
        }
        expect(found).toEqual(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['a\r\nb\rc\n\n\r\nd', [['a'], ['b'], ['c'], ['d']]],
    ['a,,\n""\n,', [['a', '', ''], [''], ['', '']]],
    ['', []],
  ])('%j', (given, expected) => {
    expect(read(given, 1)).toEqual(expected);
  });

  test('reports the number of the invalid record', () => {
    expect(faultOf('a\nb"c\n')).toBe('malformed 2');
    expect(faultOf('a\n\n"b"c\n')).toBe('malformed 2');
    expect(faultOf('a\n"b')).toBe('malformed 2');
    expect(faultOf(`a\n${','.repeat(64)}`)).toBe('too many cells 2');
    expect(faultOf(`a\n${','.repeat(63)}`)).toBe('none');
    expect(faultOf(`"${'x'.repeat(4_001)}`)).toBe('cell too long 1');
    expect(faultOf(`"${'""'.repeat(4_001)}"`)).toBe('cell too long 1');
    expect(faultOf(`"${'""'.repeat(4_000)}"`)).toBe('none');
  });
});
