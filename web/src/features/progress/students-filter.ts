import { canSortBy, type Sort, type StudentFilter, sorts } from './progress-queries.ts';
import { tableSorts } from './project-hours-queries.ts';

/** What the address has, as texts. */
export const defaults = {
  ...{ view: 'list', search: '', group_id: '', project_id: '', inactive_days: '' },
  ...{ sort: 'username', order: 'asc', sort_project_id: '' },
};
export type Given = typeof defaults;

const whole = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? text : '');

/** What the address says, as far as the service takes it. */
function read<S extends Sort>(given: Given, possible: readonly S[]): StudentFilter & { sort: S | 'username' } {
  const place = { group_id: whole(given.group_id), project_id: whole(given.project_id) };
  const project = whole(given.sort_project_id);
  const sort =
    possible.find(
      (name) => name === given.sort && canSortBy(name, place) && (name !== 'project_hours' || project !== ''),
    ) ?? 'username';
  return {
    ...place,
    search: given.search,
    inactive_days: Number(given.inactive_days) <= 3650 ? whole(given.inactive_days) : '',
    sort,
    order: given.order === 'desc' ? 'desc' : 'asc',
    sort_project_id: sort === 'project_hours' ? project : '',
  };
}

export const readListFilter = (given: Given) => read(given, sorts);
export const readTableFilter = (given: Given) => read(given, tableSorts);
