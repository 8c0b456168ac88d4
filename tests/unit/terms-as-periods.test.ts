import { describe, expect, test } from 'vitest';
import { periodBefore, periodOf, turned } from '../../web/src/features/statistics/period.ts';

const spring = { name: 'Spring term', from: '2026-02-23', to: '2026-07-10' };
const autumn = { name: 'Autumn term', from: '2026-09-01', to: '2027-01-23' };
const terms = [spring, autumn];
const today = '2026-11-27';
const of = (date: string, on = today) => periodOf('term', date, on, 1, terms);

describe('a term as a period', () => {
  test('is the one of the day, without days to come', () => {
    expect(of(today)).toEqual({ from: '2026-09-01', to: today });
    expect(of('2026-03-01')).toEqual({ from: '2026-02-23', to: '2026-07-10' });
  });

  test('is the last one between terms', () => {
    expect(of('2026-08-01', '2026-08-01')).toEqual({ from: '2026-02-23', to: '2026-07-10' });
  });

  test('leads to the terms beside it, and from the last one no further', () => {
    expect(turned('term', today, -1, terms)).toBe('2026-02-23');
    expect(turned('term', '2026-03-01', 1, terms)).toBe('2026-09-01');
    expect(turned('term', today, 1, terms)).toBe(today);
  });

  test('is compared with the one before', () => {
    expect(periodBefore('term', of(today), terms)).toEqual({ from: '2026-02-23', to: '2026-07-10' });
  });

  test('is 13 weeks before the first term, and without terms', () => {
    expect(of(turned('term', '2026-03-01', -1, terms))).toEqual({ from: '2025-11-24', to: '2026-02-22' });
    expect(periodBefore('term', of('2026-03-01'), terms)).toEqual({ from: '2025-11-24', to: '2026-02-22' });
    expect(periodOf('term', today, today, 1)).toEqual({ from: '2026-08-31', to: today });
    expect(turned('term', today, -1)).toBe('2026-08-28');
  });
});
