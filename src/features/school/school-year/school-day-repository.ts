import { empty, type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { execute, many, maybeOne, one, value } from '../../../db/statements.ts';
import { groupsInScope } from '../../../transactions/scope-sql.ts';
import { schoolDayKinds } from './school-day-fields.ts';

const schoolDayColumns = {
  id: t.bigint,
  name: t.text,
  first_day: t.date,
  last_day: t.date,
  kind: t.oneOf(schoolDayKinds),
  group_id: t.bigint.orNull,
};
export type SchoolDayRow = RowOf<typeof schoolDayColumns>;
export type NewSchoolDay = Omit<SchoolDayRow, 'id'>;
export type SchoolDayFilter = {
  from?: string | undefined;
  to?: string | undefined;
  group_id?: number | undefined;
  /** The administrator whose classes are listed, instead of all. */
  limitedTo?: number | undefined;
};

const columns = sql`e.id, e.name, e.first_day, e.last_day, e.kind, e.group_id`;

// Writers of the school year wait for each other here; the number of entries is counted afterwards.
export const lock = execute('lock_school_year', () => sql`UPDATE school_year SET version = version + 1`);

/** Those of the whole school, and with a group also its own; in the order of their days. */
export const list = many(
  'list_school_days',
  schoolDayColumns,
  ({ from, to, group_id, limitedTo }: SchoolDayFilter) => sql`
    SELECT ${columns} FROM school_days e
    WHERE ${from === undefined ? sql`true` : sql`e.last_day >= ${t.date(from)}`}
      ${to === undefined ? empty : sql`AND e.first_day <= ${t.date(to)}`}
      ${group_id === undefined ? empty : sql`AND (e.group_id IS NULL OR e.group_id = ${t.bigint(group_id)})`}
      ${limitedTo === undefined ? empty : sql`AND (e.group_id IS NULL OR e.group_id IN (${groupsInScope(t.bigint(limitedTo))}))`}
    ORDER BY e.first_day, e.last_day, e.id`,
);
export const find = maybeOne(
  'find_school_day',
  schoolDayColumns,
  (id: number) => sql`SELECT ${columns} FROM school_days e WHERE e.id = ${t.bigint(id)}`,
);
/** In their order. */
export const insert = many('insert_school_days', schoolDayColumns, (entries: readonly NewSchoolDay[]) => {
  const texts = (field: 'name' | 'first_day' | 'last_day' | 'kind') => t.texts(entries.map((entry) => entry[field]));
  return sql`
    INSERT INTO school_days AS e (name, first_day, last_day, kind, group_id)
    SELECT k.name, k.first_day::date, k.last_day::date, k.kind, k.group_id
    FROM unnest(${texts('name')}, ${texts('first_day')}, ${texts('last_day')}, ${texts('kind')},
      ${t.bigints(entries.map(({ group_id }) => group_id))}) WITH ORDINALITY AS k (name, first_day, last_day, kind, group_id, place)
    ORDER BY k.place RETURNING ${columns}`;
});
export const update = one(
  'update_school_day',
  schoolDayColumns,
  ({ id, name, first_day, last_day, kind, group_id }: SchoolDayRow) => sql`
    UPDATE school_days e SET name = ${t.text(name)}, first_day = ${t.date(first_day)}, last_day = ${t.date(last_day)},
      kind = ${t.text(kind)}, group_id = ${t.bigint(group_id)}
    WHERE e.id = ${t.bigint(id)} RETURNING ${columns}`,
);
export const remove = execute(
  'delete_school_day',
  (id: number) => sql`DELETE FROM school_days WHERE id = ${t.bigint(id)}`,
);

export const count = value(
  'count_school_days',
  { total: t.bigint },
  () => sql`SELECT count(*) AS total FROM school_days`,
);
