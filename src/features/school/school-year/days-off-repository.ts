import { type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { execute, many, maybeOne, one, value } from '../../../db/statements.ts';
import { daysOn, specialDays } from '../../study/calendar/day-kind-sql.ts';

const dayOffColumns = {
  id: t.bigint,
  user_id: t.bigint,
  first_day: t.date,
  last_day: t.date,
  reason: t.text,
  set_by: t.bigint,
};
export type DayOffRow = RowOf<typeof dayOffColumns>;
export type NewDayOff = Omit<DayOffRow, 'id'>;

const columns = sql`x.id, x.user_id, x.first_day, x.last_day, x.reason, x.set_by`;

/** The latest first. */
export const list = many(
  'list_days_off',
  dayOffColumns,
  (userId: number) => sql`
    SELECT ${columns} FROM days_off x WHERE x.user_id = ${t.bigint(userId)} ORDER BY x.first_day DESC, x.id DESC`,
);
export const exists = value(
  'find_person_of_days_off',
  { found: t.boolean },
  (userId: number) => sql`
    SELECT EXISTS (SELECT FROM users u WHERE u.id = ${t.bigint(userId)} AND u.deleted_at IS NULL) AS found`,
);
// Concurrent changes of the days off of one person wait for this lock.
export const lockPerson = maybeOne(
  'lock_person_of_days_off',
  { id: t.bigint },
  (userId: number) => sql`
    SELECT u.id FROM users u WHERE u.id = ${t.bigint(userId)} AND u.deleted_at IS NULL FOR NO KEY UPDATE`,
);
export const find = maybeOne(
  'find_day_off',
  dayOffColumns,
  (userId: number, id: number) => sql`
    SELECT ${columns} FROM days_off x WHERE x.user_id = ${t.bigint(userId)} AND x.id = ${t.bigint(id)}`,
);
export const insert = one(
  'insert_day_off',
  dayOffColumns,
  ({ user_id, first_day, last_day, reason, set_by }: NewDayOff) => sql`
    INSERT INTO days_off AS x (user_id, first_day, last_day, reason, set_by)
    VALUES (${t.bigint(user_id)}, ${t.date(first_day)}, ${t.date(last_day)}, ${t.text(reason)}, ${t.bigint(set_by)})
    RETURNING ${columns}`,
);
export const update = one(
  'update_day_off',
  dayOffColumns,
  ({ id, first_day, last_day, reason, set_by }: DayOffRow) => sql`
    UPDATE days_off x SET first_day = ${t.date(first_day)}, last_day = ${t.date(last_day)}, reason = ${t.text(reason)},
      set_by = ${t.bigint(set_by)}
    WHERE x.id = ${t.bigint(id)} RETURNING ${columns}`,
);
export const remove = execute('delete_day_off', (id: number) => sql`DELETE FROM days_off WHERE id = ${t.bigint(id)}`);

/** By calendar year, the days that a person has set off for themselves and that are not off otherwise, and how many have passed. */
export const countOwn = many(
  'count_own_days_off',
  { year: t.integer, days: t.integer, taken: t.integer },
  (userId: number, today: string) => {
    const person = t.bigint(userId);
    const within = (last: Sql) =>
      sql`greatest(0, ${last} - y.first_day + 1) - ${daysOn(sql`own.days`, sql`y.first_day`, last)}`;
    return sql`
      SELECT k.year, ${within(sql`y.last_day`)} AS days, ${within(sql`least(y.last_day, ${t.date(today)})`)} AS taken
      FROM (
        SELECT s.days - otherwise.off AS days
        FROM (
          SELECT range_agg(daterange(x.first_day, x.last_day, '[]')) AS days FROM days_off x
          WHERE x.user_id = ${person} AND x.set_by = ${person}) AS s
        CROSS JOIN (${specialDays(person, sql`day_off.set_by <> day_off.user_id`)}) AS otherwise) AS own
      CROSS JOIN LATERAL generate_series(extract(year FROM lower(own.days))::integer,
        extract(year FROM upper(own.days) - 1)::integer) AS k (year)
      CROSS JOIN LATERAL (SELECT make_date(k.year, 1, 1) AS first_day, make_date(k.year, 12, 31) AS last_day) AS y
      ORDER BY k.year`;
  },
);
