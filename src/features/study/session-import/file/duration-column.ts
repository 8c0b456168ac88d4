import { columnNames, plainHeader, timeNames, unitNames } from './column-names.ts';
import { type DurationUnit, unitOf } from './written-words.ts';

/** What a header says about the durations below it: `number` is the unit of 90, `clock` that of the first number of 1:30. */
export type HeaderUnits = { number?: DurationUnit; clock?: DurationUnit };
type Candidate = HeaderUnits & { index: number; base: string; isDecimal: boolean };

/** Reads headers such as `Duration (h)`, `timeSpentSeconds`, `Dauer [Min.]`, 时长(秒) and `Length (mm:ss)`. */
export function unitsIn(header: string): HeaderUnits & { base: string; isDecimal: boolean } {
  const text = plainHeader(header.slice(0, 200).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
  const format = /(?<![a-z])(h{1,2}:mm?(?::ss?)?|mm?:ss?)(?![a-z:])/.exec(text)?.[0];
  const words = (format === undefined ? text : text.replace(format, ' ')).match(/[^\s()[\]{},.:/-]+/g) ?? [];
  const isDecimal = words.some((word) => /^de[cz]imal/.test(word));
  // A letter is a unit at the end only.
  const isUnit = (word: string, index: number) =>
    (word.length > 1 || index === words.length - 1) && unitOf(word) !== undefined;
  const found = new Set(words.filter(isUnit).map(unitOf));
  const base = words
    .filter((word, index) => !isUnit(word, index) && word !== 'in' && !/^de[cz]imal/.test(word))
    .join(' ');
  const [only, ...others] = isDecimal && found.size === 0 ? ['hours' as const] : found;
  const number = others.length === 0 ? only : undefined;
  const clock = format === undefined ? number : format.startsWith('h') ? 'hours' : 'minutes';
  // In a column of minutes, 1:30 may be either.
  const isClear = format !== undefined || clock === 'hours';
  return { base, isDecimal, ...(number && { number }), ...(clock && isClear && { clock }) };
}

/** The column of the durations; `several` if hours and minutes, for example, stand in columns of their own. */
export function durationColumn(
  header: readonly string[],
): { index: number } | { several: readonly number[] } | undefined {
  const candidates: Candidate[] = header.map((name, index) => ({ index, ...unitsIn(name) }));
  const plain = header.map(plainHeader);
  const isUnitOnly = ({ index, base }: Candidate) => unitNames.includes(plain[index] ?? '') || unitNames.includes(base);
  const ranks: readonly ((one: Candidate) => boolean)[] = [
    ({ index }) => columnNames.duration.includes(plain[index] ?? ''),
    ({ base, isDecimal }) => !isDecimal && columnNames.duration.includes(base),
    ({ base, number, isDecimal }) => !isDecimal && number !== undefined && timeNames.includes(base),
    (one) => !one.isDecimal && isUnitOnly(one),
    (one) =>
      one.isDecimal && (columnNames.duration.includes(one.base) || timeNames.includes(one.base) || isUnitOnly(one)),
  ];
  for (const [rank, fits] of ranks.entries()) {
    const [first, ...others] = candidates.filter(fits);
    if (first === undefined) continue;
    const isParted = rank === 3 && others.some(({ number }) => number !== first.number);
    return isParted ? { several: [first, ...others].map(({ index }) => index) } : { index: first.index };
  }
  return undefined;
}
