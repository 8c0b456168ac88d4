import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { execute, many, maybeOne, one } from '../../../db/statements.ts';
import { specialDays } from '../../study/calendar/day-kind-sql.ts';

const termFields = { id: t.bigint, name: t.text, first_day: t.date, last_day: t.date };
export type TermFields = RowOf<typeof termFields>;
export type NewTerm = Omit<TermFields, 'id'>;
const termColumns = { ...termFields, school_days: t.integer };
export type TermRow = RowOf<typeof termColumns>;

const columns = sql`e.id, e.name, e.first_day, e.last_day`;

/** With the number of their days of lessons, by the days of the whole school. */
export const list = many(
  'list_terms',
  termColumns,
  (weekdays: readonly number[]) => sql`
    SELECT ${columns}, (
      SELECT count(*) FROM generate_series(e.first_day, e.last_day, interval '1 day') AS k (day)
      WHERE NOT special.off @> k.day::date
        AND (special.school @> k.day::date OR extract(isodow FROM k.day) = ANY (${t.integers(weekdays)})))::integer AS school_days
    FROM terms e CROSS JOIN (${specialDays(sql`NULL::bigint`)}) AS special ORDER BY e.first_day`,
);
export const find = maybeOne(
  'find_term',
  termFields,
  (id: number) => sql`SELECT ${columns} FROM terms e WHERE e.id = ${t.bigint(id)}`,
);
export const findOverlapping = maybeOne(
  'find_overlapping_term',
  termFields,
  ({ first_day, last_day }: NewTerm, except: number) => sql`
    SELECT ${columns} FROM terms e
    WHERE daterange(e.first_day, e.last_day, '[]') && daterange(${t.date(first_day)}, ${t.date(last_day)}, '[]')
      AND e.id <> ${t.bigint(except)} ORDER BY e.first_day LIMIT 1`,
);
export const insert = one(
  'insert_term',
  termFields,
  ({ name, first_day, last_day }: NewTerm) => sql`
    INSERT INTO terms AS e (name, first_day, last_day) VALUES (${t.text(name)}, ${t.date(first_day)}, ${t.date(last_day)})
    RETURNING ${columns}`,
);
export const update = one(
  'update_term',
  termFields,
  ({ id, name, first_day, last_day }: TermFields) => sql`
    UPDATE terms e SET name = ${t.text(name)}, first_day = ${t.date(first_day)}, last_day = ${t.date(last_day)}
    WHERE e.id = ${t.bigint(id)} RETURNING ${columns}`,
);
export const remove = execute('delete_term', (id: number) => sql`DELETE FROM terms WHERE id = ${t.bigint(id)}`);
