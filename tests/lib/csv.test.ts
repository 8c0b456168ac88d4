import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine, withoutGuard } from '../../src/lib/export/exporter.ts';

describe('a CSV line', () => {
  test('quotes every text by RFC 4180, and no number', () => {
    expect(csvLine(['a', 'b,c', 'say "x"', 'two\r\nlines', 'x;=1+2', '', null, 7, -1.5])).toBe(
      `"a","b,c","say ""x""","two\r\nlines","x;'=1+2","",,7,-1.5\r\n`,
    );
  });

  const fullWidth = ['＝1+1', '＋1', '－1', '＠x'];
  const shifted = [' =1', '\u3000＝1', '\n=1', "'=1", "' '+1"];
  test.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx', ...fullWidth, ...shifted])('%j is no longer a formula', (text) => {
    const [cell = ''] = parse(csvLine([text]))[0] ?? [];
    expect(cell.startsWith("'")).toBe(true);
    expect(withoutGuard(cell)).toBe(text);
  });

  test.each([',', ';', '\t', '|', '\r', '\n'])(
    'a program that splits at %j finds no formula within a text',
    (separator) => {
      const starts = ['=cmd', '+cmd', '-cmd', '@cmd', ' =cmd', '"=cmd', "'=cmd", '＝cmd'];
      for (const start of starts) {
        const line = csvLine([1, `a${separator}${start}`, 'x']);
        const cells = line.split(separator).map((cell) => cell.replace(/^[\s"]+/, ''));
        expect(cells.filter((cell) => /^[=+\-@＝]/.test(cell))).toEqual([]);
        expect(withoutGuard(parse(line, { record_delimiter: '\r\n' })[0]?.[1] ?? '')).toBe(`a${separator}${start}`);
      }
    },
  );

  test.each(["'=1", "''-1", "'", "'a", '-', ''])('%j is restored by removing the guard', (text) => {
    expect(parse(csvLine([text, 'x']))[0]?.map(withoutGuard)).toEqual([text, 'x']);
  });

  test('a formula without a guard is unchanged', () => {
    expect(['=1', '', 'x', "'x"].map(withoutGuard)).toEqual(['=1', '', 'x', "'x"]);
  });

  test('any other text is restored as well', () => {
    const character = fc.oneof(
      fc.constantFrom(...`'=+-@＝＋－＠,;"\t\r\n \u3000`),
      fc.string({ unit: 'grapheme', maxLength: 1 }),
    );
    const texts = fc.array(fc.string({ unit: character }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(texts, (cells) => {
        const [line = []] = parse(csvLine(cells), { record_delimiter: '\r\n' });
        expect(line.map(withoutGuard)).toEqual(cells);
      }),
    );
  });
});
