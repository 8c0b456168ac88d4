import type { z } from 'zod';
import { type Locale, translate } from '../../messages/index.ts';
import { hoursOf } from '../study-sessions/session-times.ts';
import type { importReport, importStatus } from './import-report-schemas.ts';
import type { ImportError, ImportReport, ImportRow } from './import-repository.ts';

type ReportResponse = Omit<z.input<typeof importReport>, 'import_id'>;

export function toImportReportResponse(report: ImportReport & { imported: number }, locale: Locale): ReportResponse {
  const { rows, valid, duplicates, overlaps, skipped, trimmed, moved, invalid, created_projects, imported } = report;
  const { left_out, shortened, columns, date_order, date_order_guessed } = report;
  const translated = <Entry extends ImportError>(entry: Entry) => ({
    ...entry,
    message: translate(entry.message, locale),
  });
  return {
    ...{ rows, valid, duplicates, overlaps, skipped, trimmed, moved, invalid, created_projects },
    ...{ left_out, shortened, columns, date_order, date_order_guessed },
    hours: hoursOf(report.seconds),
    imported,
    errors: report.errors.map(translated),
    notices: report.notices.map(translated),
    projects: report.projects.map(withHours),
    sessions: report.sessions.map(withHours),
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
      details: failure.details.map(({ field, message }) => ({ field, message: translate(message, locale) })),
    },
  };
}

function withHours<Row extends { seconds: number }>({ seconds, ...row }: Row) {
  return { ...row, hours: hoursOf(seconds) };
}
