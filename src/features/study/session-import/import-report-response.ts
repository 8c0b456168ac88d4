import type { z } from 'zod';
import { toDetail } from '../../../texts/errors.ts';
import { type Locale, translate } from '../../../texts/index.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import type { ColumnReading } from './file/column-readings.ts';
import type { importReport } from './import-report-schemas.ts';
import type { ImportError, ImportReport, ImportRow } from './import-repository.ts';
import type { importStatus } from './import-status-schemas.ts';

/** How a cell was read, in words: 4 July 2026, day first; 9:30; 20 seconds. */
function readingText(reading: ColumnReading, locale: Locale): string {
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

type ReportResponse = Omit<z.input<typeof importReport>, 'import_id'>;

export function toImportReportResponse(report: ImportReport & { imported: number }, locale: Locale): ReportResponse {
  const {
    seconds,
    file_columns = [],
    other_durations = 0,
    unread_columns,
    readings,
    errors,
    notices,
    projects,
    sessions,
    ...facts
  } = report;
  const translated = <Entry extends ImportError>(entry: Entry) => ({
    ...entry,
    message: translate(entry.message, locale),
  });
  return {
    ...facts,
    hours: hoursOf(seconds),
    file_columns,
    other_durations,
    unread_columns: [...unread_columns],
    readings: readings.map((reading) => {
      const { field, column, written, date_order, duration_unit } = reading;
      const read = readingText(reading, locale);
      return {
        field,
        column,
        written,
        read,
        ...(date_order && { date_order }),
        ...(duration_unit && { duration_unit }),
      };
    }),
    errors: errors.map(translated),
    notices: notices.map(translated),
    projects: projects.map(withHours),
    sessions: sessions.map(withHours),
  };
}

export function toImportStatusResponse(row: ImportRow, locale: Locale): z.input<typeof importStatus> {
  const { failure, report, ...status } = row;
  return {
    ...status,
    report: report && toImportReportResponse({ ...report, imported: row.imported }, locale),
    error: failure && {
      code: failure.code,
      message: translate(failure.text, locale),
      details: failure.details.map((detail) => toDetail(detail, locale)),
    },
  };
}

function withHours<Row extends { seconds: number }>({ seconds, ...row }: Row) {
  return { ...row, hours: hoursOf(seconds) };
}
