import { type Locale, translate } from '../../../texts/index.ts';
import type { ColumnReading } from './file/column-readings.ts';

/** How a cell was read, in words: 4 July 2026, day first; 9:30; 20 seconds. */
export function readingText(reading: ColumnReading, locale: Locale): string {
  const { milliseconds, date_order } = reading;
  if (milliseconds !== undefined) return durationText(milliseconds, locale);
  const value = momentText(reading, locale);
  return date_order === undefined ? value : translate({ key: `import_${date_order}`, params: { value } }, locale);
}

/** In English, the month is written: 04/07/2026 would say nothing. */
const languageOf = (locale: Locale) => (locale === 'en' ? 'en-GB' : locale);

function momentText({ day, time, offset }: ColumnReading, locale: Locale): string {
  const format = new Intl.DateTimeFormat(languageOf(locale), { dateStyle: 'long', timeZone: 'UTC' });
  const clock = time?.replace(/:00$/, '');
  const text = [day && format.format(new Date(day)), clock].filter(Boolean).join(' ');
  if (offset === undefined) return text;
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${text} UTC${offset === 0 ? '' : `${offset < 0 ? '−' : '+'}${hours}:${minutes}`}`;
}

function durationText(milliseconds: number, locale: Locale): string {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [(seconds % 60) + (milliseconds % 1000) / 1000, 'second'],
  ] as const;
  const shown = parts.filter(([value]) => value > 0);
  return (shown.length > 0 ? shown : parts.slice(2))
    .map(([value, unit]) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value))
    .join(' ');
}
