import type { ZoneRules } from '../../../../db/time-zones.ts';
import { text } from '../../../../http/fields.ts';
import { parsePart } from '../../../../http/input.ts';
import { timeZone } from '../../../../http/time-fields.ts';
import { withoutGuard } from '../../../../lib/export/exporter.ts';
import type { FieldError } from '../../../../texts/errors.ts';
import type { MessageKey } from '../../../../texts/index.ts';
import { minProjectNameLength } from '../../project-access/project-fields.ts';
import { sessionSources } from '../../study-sessions/session-schemas.ts';
import { isTagName, maxTagLength, maxTagsOfSession, splitTags } from '../../tags/tag-fields.ts';
import { beyondHeader, type Cells, createTableEnd, excerpt, type Layout, spreadsheetError } from './layout.ts';
import { createPlacement } from './placement.ts';
import { type Note, type Reading, type RowTimes, readTimes } from './row-times.ts';

/** A row that is valid by itself. */
export type Draft = {
  project_id: number | null;
  project_name: string;
  started: string;
  ended: string;
  note: string;
  tags: string[];
  source: string;
  time_zone: string;
  auto_stopped: boolean;
};

/** The owner of the records, as files name them. */
export type Person = { id: number; names: readonly string[] };
type Project = number | string;

export type FormatOptions = {
  person: Person;
  zone: string;
  /** Of this zone. */
  rules: ZoneRules;
  reading: Reading;
  note: Note;
  dayStartsAt: number;
  createsProjects: boolean;
  fromOtherAccount: boolean;
  /** Rows of other people are left out. */
  isShared: boolean;
  defaultProject: Project | undefined;
  projectMap: ReadonlyMap<string, Project | null>;
};

/** `hasOtherDuration`: its duration is not the time between its start and end. */
type ValidRow = { draft: Draft; shortened: FieldError[]; hasOtherDuration: boolean };
export type ReadRow = ValidRow | { errors: FieldError[] } | { leftOut: FieldError };

const maxNoteLength = 500;
const maxNameLength = 50;
const maxTagCell = 1_000;
const noteText = text({ max: maxNoteLength, multiline: true });
const nameText = text({ max: maxNameLength });
const tagText = text({ max: maxTagLength });
const error = (field: string, key: MessageKey, params?: Record<string, number | string>): FieldError => ({
  field,
  message: { key, ...(params !== undefined && { params }) },
});

/** How files write that there is no project. */
const none = new Set(['', '-', '–', '—']);

export const personKey = (name: string) => name.normalize('NFKC').trim().toLowerCase();

/** The person of a row; empty if the file names none. */
export function personOf(cells: Cells, { at }: Layout): string {
  if (at.email === undefined) return '';
  const names = [at.email, at.last_name].map((column) => (column === undefined ? '' : (cells[column] ?? '')));
  return personKey(withoutGuard(names.join(' ').slice(0, 200)));
}

/** Reads the rows of a file, one after the other. */
export function createRowReader(layout: Layout, header: Cells, options: FormatOptions) {
  const { at } = layout;
  const place = createPlacement(options);
  const isOther = createTableEnd(layout, header);

  return function readRow(cells: Cells): ReadRow {
    const cell = (field: keyof Layout['at']) => {
      const subscript = at[field];
      const given = subscript === undefined ? '' : (cells[subscript] ?? '');
      return withoutGuard(given);
    };
    if (isOther(cells)) return { leftOut: error('file', 'import_other_table') };
    const person = options.isShared ? personOf(cells, layout) : '';
    if (options.isShared && !options.person.names.includes(person))
      return { leftOut: error('email', 'import_other_person', { found: excerpt(person) }) };
    const beyond = beyondHeader(cells, header);
    if (beyond !== '') return { errors: [error('file', 'import_more_cells', { found: excerpt(beyond) })] };
    const errors: FieldError[] = [];
    const shortened: FieldError[] = [];

    const idText = cell('project_id').trim();
    const given = cell('project').trim();
    const mapped = options.projectMap.get(given);
    if (mapped === null) return { leftOut: error('project', 'import_project_left_out') };
    const isNamed = !none.has(given) || (idText !== '' && !options.fromOtherAccount);
    const project = mapped ?? (isNamed ? given : options.defaultProject);
    if (project === undefined) errors.push(error('project', 'import_project_missing'));
    else if (mapped === undefined && spreadsheetError.test(given))
      errors.push(error('project', 'import_spreadsheet_error', { found: given }));
    const name =
      typeof project === 'string' ? readText(nameText, 'project', maxNameLength, project, errors, shortened) : '';
    if (options.createsProjects && idText === '' && name.length > 0 && [...name].length < minProjectNameLength)
      errors.push(error('project', 'too_short', { minimum: minProjectNameLength }));
    const ownId =
      mapped === undefined && !options.fromOtherAccount && /^[1-9]\d{0,14}$/.test(idText) ? Number(idText) : null;

    const user = cell('user_id').trim();
    if (user !== '' && user !== String(options.person.id) && !options.fromOtherAccount)
      errors.push(error('user_id', 'import_not_yours', { found: excerpt(user) }));
    const zone = parsePart(timeZone, cell('time_zone').trim() || options.zone, 'time_zone');
    if (!zone.ok) errors.push(...zone.errors);
    const source = cell('source').trim() || 'manual';
    if (!sessionSources.some((known) => known === source)) errors.push(error('source', 'invalid'));

    const note = readText(noteText, 'note', maxNoteLength, cell('note'), errors, shortened);
    const tags = readTags(cell('tags'), errors, shortened);
    const times = readTimes(cells, at, options.reading, options.note);
    if (Array.isArray(times)) errors.push(...times);
    const [start, end] = Array.isArray(times) ? [0, 0] : place(times);
    for (const [field, moment] of [
      ['started_at', start],
      ['ended_at', end],
    ] as const) {
      const problem = yearProblem(new Date(moment).getUTCFullYear());
      if (problem !== undefined) errors.push(error(field, problem));
    }
    const nul = cells.findIndex((text) => text.includes('\u0000'));
    if (nul >= 0 && errors.length === 0) errors.push(error(excerpt(header[nul] ?? ''), 'invalid_text'));
    if (errors.length > 0) return { errors };
    const draft = {
      project_id: typeof project === 'number' ? project : ownId,
      project_name: name,
      started: new Date(start).toISOString(),
      ended: new Date(end).toISOString(),
      note,
      tags,
      source,
      time_zone: zone.ok ? zone.value : options.zone,
      auto_stopped: cell('auto_stopped').trim().toLowerCase() === 'true', // spreadsheets write TRUE
    };
    return { draft, shortened, hasOtherDuration: !Array.isArray(times) && differs(times, end - start) };
  };
}

/** Whether the duration of a row with start and end is another one than that between them; it may be without its seconds. */
const differs = ({ start, end, seconds }: RowTimes, milliseconds: number): boolean =>
  start !== undefined &&
  end !== undefined &&
  seconds !== undefined &&
  Math.abs(seconds * 1000 - milliseconds) >= 60_000;

/**
 * Normalises and shortens text as for storage. That takes quadratic time in consecutive combining marks, so their number is
 * limited first; no language has more than 30 (the Stream-Safe Text Format of UAX #15).
 */
function readText(
  kind: typeof noteText,
  field: string,
  maximum: number,
  given: string,
  errors: FieldError[],
  shortened: FieldError[],
): string {
  const start = given.slice(0, 4 * maximum).replace(/[\uD800-\uDBFF]$/, '');
  if (/\p{M}{31}/u.test(start)) {
    errors.push(error(field, 'import_marks'));
    return '';
  }
  const characters = [...start.normalize('NFC').trim()];
  const isLong = characters.length > maximum || given.length > 4 * maximum;
  if (isLong) shortened.push(error(field, 'import_shortened', { maximum }));
  const parsed = parsePart(kind, isLong ? characters.slice(0, maximum).join('') : start, field);
  if (!parsed.ok) errors.push(...parsed.errors);
  return parsed.ok ? parsed.value : '';
}

/** Those of other trackers may be more and longer. */
function readTags(cell: string, errors: FieldError[], shortened: FieldError[]): string[] {
  if (none.has(cell.trim())) return [];
  const names = splitTags(cell.slice(0, maxTagCell))
    .map((name) => readText(tagText, 'tags', maxTagLength, name, errors, shortened))
    .filter(isTagName);
  const unique = [...new Set(names)];
  if (unique.length > maxTagsOfSession || cell.length > maxTagCell)
    shortened.push(error('tags', 'import_tags_left_out', { maximum: maxTagsOfSession }));
  return unique.slice(0, maxTagsOfSession);
}

/** PostgreSQL and JavaScript format years before 1 and after 9999 differently. */
function yearProblem(year: number): MessageKey | undefined {
  if (year < 1) return 'session_too_early';
  return year > 9999 || Number.isNaN(year) ? 'session_in_future' : undefined;
}
