import type { z } from 'zod';
import { toDetail } from '../../../texts/errors.ts';
import { type Locale, translate } from '../../../texts/index.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import { readingText } from './import-reading-text.ts';
import type { importReport } from './import-report-schemas.ts';
import type { ImportError, ImportReport, ImportRow } from './import-repository.ts';
import type { importStatus } from './import-status-schemas.ts';

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
