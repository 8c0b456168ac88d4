import { columnNames, plainHeader, timeNames, unitNames } from './column-names.ts';
import { createReader, durationWays, plainText } from './written-ways.ts';
import { type DurationUnit, unitOf, units } from './written-words.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const readLength = createReader(durationWays, true);

/**
 * `unit`: of a number without a unit, and of the first number of 1:30, or `undefined` if it is not known. `marks`: those that begin
 * decimals, as other numbers of the column show: with `.`, 1.234 is not 1,234.
 */
export type LengthOptions = { unit: DurationUnit | undefined; marks: DecimalMarks };
export type DecimalMarks = '' | '.' | ',' | '.,';
export type Length = { way: string; milliseconds: number; unit?: DurationUnit };

/** Reads a duration; undefined for anything that is not certain, and `asked` for what would be with a unit. */
export function readDuration(text: string, { unit, marks }: LengthOptions): Length | 'asked' | undefined {
  const given = plainText(text).toLowerCase();
  const found = readLength(given);
  if (found === undefined) return withUnits(given, marks);
  const { way, groups } = found;
  if (groups.n === undefined && groups.a === undefined) {
    const half = /半/.test(way) ? 30 * minute : 0;
    const [days, hours, minutes] = [Number(groups.d ?? 0), Number(groups.h ?? 0), Number(groups.m ?? 0)];
    const seconds = Number((groups.s ?? '0').replace(',', '.'));
    return { way, milliseconds: days * day + hours * hour + minutes * minute + seconds * second + half };
  }
  if (unit === undefined) return 'asked';
  const { milliseconds } = units[unit];
  if (groups.a !== undefined) {
    const smaller = { hours: minute, minutes: second, seconds: undefined, milliseconds: undefined }[unit];
    if (smaller === undefined) return undefined;
    return { way, unit, milliseconds: Number(groups.a) * milliseconds + Number(groups.b) * smaller };
  }
  const number = numberOf(groups.n ?? '', unit === 'hours' ? marks || '.,' : marks);
  return number === undefined ? undefined : { way, unit, milliseconds: Math.round(number * milliseconds) };
}

/** Numbers with units: 1h 30m, 1小时30分, 1,5 Std., 1 hour and 30 minutes, PT1H30M. */
function withUnits(text: string, marks: DecimalMarks): Length | undefined {
  const iso = /^p(?:(\d+)d)?(?:t(?=\d)(.*))?$/.exec(text);
  const parts = [
    ...(iso?.[2] ?? (iso === null ? text : '')).matchAll(
      /(\d[\d.,]*) ?([^\d\s,]+)(?:,? (?:and |und |et |e |y |i )?|$)?/gu,
    ),
  ];
  if (iso === null && parts.map(([all]) => all).join('') !== text) return undefined;
  if (iso !== null && parts.map(([all]) => all).join('') !== (iso[2] ?? '')) return undefined;
  let [milliseconds, smallest] = [Number(iso?.[1] ?? 0) * day, Number.POSITIVE_INFINITY];
  for (const [, digits = '', word = ''] of parts) {
    const unit = unitOf(word);
    const number = numberOf(digits, unit === 'hours' ? marks || '.,' : marks);
    // Each unit once, the larger ones first.
    if (unit === undefined || number === undefined || units[unit].milliseconds >= smallest) return undefined;
    smallest = units[unit].milliseconds;
    milliseconds += number * smallest;
  }
  if (parts.length === 0 && iso?.[1] === undefined) return undefined;
  return { way: iso === null ? '{n} unit' : 'P', milliseconds: Math.round(milliseconds) };
}

/** 1.5, 1,5 and 1,234.5; undefined for 1,234 unless its mark can only begin decimals. */
function numberOf(text: string, decimals: DecimalMarks): number | undefined {
  const marks = text.match(/[.,]/g) ?? [];
  const last = marks.at(-1) ?? '';
  if (marks.length === 0) return Number(text);
  if (marks.length === 1) {
    if (!decimals.includes(last) && /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return undefined;
    return /^\d+[.,]\d+$/.test(text) ? Number(text.replace(',', '.')) : undefined;
  }
  const separator = marks[0] === last ? last : last === '.' ? ',' : '.';
  const grouped = text.replaceAll(separator, '');
  const isGrouped = new RegExp(`^\\d{1,3}(?:[${separator}]\\d{3})+(?:[.,]\\d+)?$`).test(text);
  return isGrouped && /^\d+(?:[.,]\d+)?$/.test(grouped) ? Number(grouped.replace(',', '.')) : undefined;
}

/** The marks that begin decimals in a column, as far as one number shows it; 1234 has no separator of thousands, but does not tell which. */
export function decimalMarksOf(text: string): DecimalMarks {
  const plain = plainText(text);
  if (/^\d{4,}$/.test(plain)) return '.,';
  const isDecimal = /^(?:\d{4,}[.,]\d+|0[.,]\d+|\d+[.,](?:\d{1,2}|\d{4,}))$/.test(plain);
  return !isDecimal ? '' : plain.includes('.') ? '.' : ',';
}

/** The marks of a column by those that its numbers show: one is more certain than both. */
export function marksOf(seen: ReadonlySet<DecimalMarks>): DecimalMarks {
  const [one, other] = (['.', ','] as const).filter((mark) => seen.has(mark));
  return one !== undefined && other === undefined ? one : seen.has('.,') || other !== undefined ? '.,' : '';
}

/** Whether the unit of a duration is written nowhere. */
export const lacksUnit = (text: string): boolean => /^(?:\d[\d.,]{0,18}|\d{1,4}:[0-5]\d)$/.test(plainText(text));

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
