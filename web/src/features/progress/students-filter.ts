import { canSortBy, type Sort, type StudentFilter, sorts } from './progress-queries.ts';
import { tableSorts } from './project-hours-queries.ts';

/** URL parameters as text. */
export const defaults = {
  ...{ view: 'list', search: '', group_id: '', project_id: '', inactive_days: '' },
  ...{ sort: 'username', order: 'asc', sort_project_id: '' },
};
export type Given = typeof defaults;

const positiveInteger = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? text : '');

/** The filter from the URL, without values that the service rejects. */
function read<S extends Sort>(given: Given, possible: readonly S[]): StudentFilter & { sort: S | 'username' } {
  const scope = { group_id: positiveInteger(given.group_id), project_id: positiveInteger(given.project_id) };
  const project = positiveInteger(given.sort_project_id);
  const sort =
    possible.find(
      (name) => name === given.sort && canSortBy(name, scope) && (name !== 'project_hours' || project !== ''),
    ) ?? 'username';
  return {
    ...scope,
    search: given.search,
    inactive_days: Number(given.inactive_days) <= 3650 ? positiveInteger(given.inactive_days) : '',
    sort,
    order: given.order === 'desc' ? 'desc' : 'asc',
    sort_project_id: sort === 'project_hours' ? project : '',
  };
}

export const readListFilter = (given: Given) => read(given, sorts);
export const readTableFilter = (given: Given) => read(given, tableSorts);
