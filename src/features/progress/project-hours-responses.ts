import { csvLine, csvStart, type WriteExport } from '../../lib/export/exporter.ts';
import type { PairRow, ProjectRow, UserRow } from './project-hours-read-model.ts';
import type { ProjectHoursPage } from './project-hours-schemas.ts';

export function toProjectHoursResponse(
  users: readonly UserRow[],
  rows: readonly ProjectRow[],
): Omit<ProjectHoursPage, 'pagination'> {
  return {
    projects: rows.map(({ hours: _hours, projects_total: _total, ...project }) => project),
    projects_total: rows[0]?.projects_total ?? 0,
    users: users.map((user) => ({ ...user, hours: rows.map(({ hours }) => hours[user.user_id] ?? null) })),
  };
}

const csvColumns = [
  'user_id',
  'username',
  'display_name',
  'project_id',
  'project_name',
  'project_status',
  'target_hours',
  'hours',
  'last_session',
] as const satisfies readonly (keyof PairRow)[];

type Read = (take: (pairs: readonly PairRow[]) => Promise<void>) => Promise<void>;

export function exportProjectHours(read: Read): WriteExport {
  return async (write) => {
    await write(csvStart + csvLine(csvColumns));
    await read((pairs) => write(pairs.map((pair) => csvLine(csvColumns.map((name) => pair[name]))).join('')));
  };
}
