import { canSortBy, type StudentFilter } from './progress-queries.ts';
import { type TableFilter, tableSorts } from './project-hours-queries.ts';
import { type ListFilter, listSorts, states } from './student-list.ts';

/** URL parameters as text. */
export const defaults = {
  view: 'list',
  search: '',
  group_id: '',
  project_id: '',
  inactive_days: '',
  state: '',
  columns: '',
  sort: '',
  order: 'asc',
  sort_project_id: '',
};
export type Given = typeof defaults;

const positiveInteger = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? text : '');

const scopeOf = (given: Given) => ({
  group_id: positiveInteger(given.group_id),
  project_id: positiveInteger(given.project_id),
  search: given.search.slice(0, 100),
});
const orderOf = ({ order }: Given) => (order === 'desc' ? 'desc' : 'asc');

/** The filter from the URL, without values that do not exist. */
export const readListFilter = (given: Given): ListFilter => ({
  ...scopeOf(given),
  state: states.find((state) => state === given.state) ?? '',
  sort: listSorts.find((sort) => sort === given.sort) ?? 'display_name',
  order: orderOf(given),
});

/** The filter from the URL, without values that the service rejects. */
export function readTableFilter(given: Given): TableFilter {
  const scope: StudentFilter = {
    ...scopeOf(given),
    sort: 'username',
    order: orderOf(given),
    sort_project_id: '',
    inactive_days: Number(given.inactive_days) <= 3650 ? positiveInteger(given.inactive_days) : '',
  };
  const project = positiveInteger(given.sort_project_id);
  const sort =
    tableSorts.find(
      (name) => name === given.sort && canSortBy(name, scope) && (name !== 'project_hours' || project !== ''),
    ) ?? 'username';
  return { ...scope, sort, sort_project_id: sort === 'project_hours' ? project : '' };
}
