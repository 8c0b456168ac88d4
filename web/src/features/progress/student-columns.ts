import { cx } from '../../lib/cx.ts';
import table from '../../ui/data-table.module.css';

/** The columns after the name, in their order. */
export const columns = [
  ...(['weeks', 'this_week', 'hours_28d', 'total_hours', 'current_streak', 'goals', 'last_session'] as const),
] as const;
export type Column = (typeof columns)[number];
const usual = columns.filter((column) => column !== 'total_hours');

/** The columns named in the address; empty for the usual ones. */
export function readColumns(given: string): readonly Column[] {
  const named = given.split(',');
  return given === '' ? usual : columns.filter((column) => named.includes(column));
}
export const writeColumns = (shown: readonly Column[]): string =>
  shown.join() === usual.join() ? '' : columns.filter((column) => shown.includes(column)).join() || 'none';

/** The order of the first press. */
export const firstOrder = {
  display_name: 'asc',
  this_week: 'desc',
  hours_28d: 'desc',
  total_hours: 'desc',
  current_streak: 'desc',
  goals: 'asc',
  last_session: 'asc',
} as const;

const classes: Partial<Record<Column | 'here', string>> = {
  this_week: cx(table.end),
  hours_28d: cx(table.end, table.wide),
  total_hours: cx(table.end, table.wide),
  here: cx(table.end),
  current_streak: cx(table.end, table.wide),
  last_session: cx(table.end),
};
export const classOf = (column: Column | 'here') => classes[column];

/** Where a phone shows a column. */
const places = { goals: 'state', weeks: 'side', this_week: 'corner' } as const;
export const placeOf = (column: Column) => places[column as keyof typeof places];
