import { ValidationError } from '../../errors.ts';
import type { Message } from '../../messages/index.ts';
import type { ImportError, ImportNotice } from './import-repository.ts';
import type { ImportEntry } from './rows/import-report-read-model.ts';
import type { OverlapMode } from './rows/overlap-resolution.ts';

type Problem = Pick<ImportEntry, 'row' | 'problem'> & Partial<ImportEntry>;

/** A null problem: the row begins later. */
export function toImportError(entry: Problem): ImportError {
  const { row, other_row: other, other_session_id: session } = entry;
  const problem = entry.problem ?? 'import_overlap';
  return {
    row,
    field: fieldOf(problem),
    message: overlapOf(other, session) ?? { key: problem },
    ...(other != null && { other_row: other }),
    ...(session != null && { session_id: session }),
  };
}

/** A row that is left out or begins later. */
export function toImportNotice(entry: ImportEntry, mode: OverlapMode): ImportNotice {
  const { problem, started_at } = entry;
  const error = toImportError(entry);
  if (problem === null) return { ...error, action: mode === 'stack' ? 'moved' : 'trimmed', started_at };
  return { ...error, action: problem === 'import_overlap' ? 'skipped' : 'left_out' };
}

export function rowsError(errors: readonly ImportError[]): ValidationError {
  return new ValidationError(errors.map(({ row, field, message }) => ({ field: `rows[${row}].${field}`, message })));
}

function overlapOf(row: number | null | undefined, session: number | null | undefined): Message | undefined {
  if (session != null) return { key: 'import_overlap_record', params: { id: session } };
  return row == null ? undefined : { key: 'import_overlap_row', params: { row } };
}

function fieldOf(problem: string): string {
  if (problem.includes('project')) return 'project';
  return problem === 'session_too_early' || problem === 'import_overlap' ? 'started_at' : 'ended_at';
}
