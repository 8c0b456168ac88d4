import type { Way } from './written-ways.ts';

const two = '\\d{2}';
/** The parts of patterns, as `written-ways.ts` explains them. */
const names = {
  Y: '\\d{4}',
  YY: '(?:19|20)\\d{2}',
  y: `\\d{4}|'?${two}`,
  M: '\\d{1,2}',
  D: '\\d{1,2}',
  A: '\\d{1,2}',
  B: '\\d{1,2}',
  C: `\\d{4}|${two}`,
  N: '\\p{L}{3,12}',
  h: '\\d{1,3}',
  m: '[0-5]\\d',
  minute: '[0-5]?\\d',
  s: '[0-5]\\d(?:[.,]\\d+)?',
  H: '\\d{1,2}',
  MM: two,
  DD: two,
  hh: two,
  mm: two,
  ss: two,
  d: '\\d{1,3}',
  a: '\\d{1,4}',
  b: '[0-5]\\d',
  n: '\\d[\\d.,]{0,18}',
  serial: '[3-7]\\d{4}(?:[.,]\\d+)?',
  unix: '1\\d{9}(?:\\d{3})?',
  part: '0(?:[.,]\\d+)?|[.,]\\d+',
};

export type Groups = { [Name in keyof typeof names]?: string | undefined };

/** A day ends before a time, but not within a number or a word. */
const dayEnd = '(?:(?=T\\d)|(?!\\d|\\p{Script=Latin}))';

/** Tries the way that read the text before it first: no text has two. */
export function createReader(ways: readonly Way[], isWhole: boolean) {
  const compiled = ways.map(([pattern]) => {
    const source = pattern.replace(
      /\{([A-Za-z]+)\}/g,
      (_all, name: string) => `(?<${name}>${names[name as keyof Groups]})`,
    );
    return { pattern, regex: new RegExp(`^(?:${source})${isWhole ? '$' : dayEnd}`, 'iu') };
  });
  let last = compiled[0];
  return function read(text: string): { way: string; groups: Groups; rest: string } | undefined {
    for (const one of last === undefined ? compiled : [last, ...compiled]) {
      const found = one.regex.exec(text);
      if (found === null) continue;
      last = one;
      return { way: one.pattern, groups: found.groups ?? {}, rest: text.slice(found[0].length) };
    }
    return undefined;
  };
}

/** Plain digits, colons, hyphens and spaces, without invisible marks. Normalising long runs of combining marks takes quadratic time. */
export const plainText = (text: string) =>
  text
    .slice(0, 100)
    .normalize('NFKC')
    .replace(/\p{Cf}|^'/gu, '')
    .replace(/\p{Pd}|−/gu, '-')
    .replace(/∶/g, ':')
    .replace(/\s+/g, ' ')
    .trim();
