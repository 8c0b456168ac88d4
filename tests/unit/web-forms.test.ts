import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseNumber } from '../../web/src/lib/numbers.ts';

test('every form is a Form, which saves nothing while a field is invalid', () => {
  const files = readdirSync('web/src', { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.tsx'));
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => readFileSync(`web/src/${file}`, 'utf8').includes('<form'))).toEqual(['ui/form.tsx']);
});

test.each([
  ['40', 40],
  ['1.5', 1.5],
  ['1,5', 1.5],
  ['1,000', 1000],
  ['12,345.5', 12_345.5],
  ['1 000', 1000],
  ['１０', 10],
  ['0,125', 0.125],
  ['0x10', undefined],
  ['1e2', undefined],
  ['1,00,0', undefined],
  ['1.000,5', undefined],
  ['-1', undefined],
  ['', undefined],
])('%s is read as %s', (text, number) => {
  expect(parseNumber(text)).toBe(number);
});
