import { type Sql, sql, t } from '../../../../db/sql/sql.ts';
import { one } from '../../../../db/statements.ts';
import { groupsInScope } from '../../../../transactions/scope-sql.ts';
import { rangesOf, specialDays, specialDaysOfGroup } from '../../../study/calendar/day-kind-sql.ts';
import type { DayRanges } from '../../../study/calendar/day-kinds.ts';
import type { NamedDays } from './named-days.ts';

export type Term = { name: string; from: string; to: string };

const columns = {
  terms: t.json<Term[]>(),
  off: t.json<DayRanges>(),
  excused: t.json<DayRanges>(),
  school: t.json<DayRanges>(),
  entries: t.json<NamedDays[]>(),
};

/** `isNamed`: whether the name of an entry `e` is shown. */
type Of = { special: Sql; classes: Sql; excuses: Sql; isNamed: Sql };

/** The terms, the days as `specialDays` decides them, and the entries that name them. */
const yearOf = ({ special, classes, excuses, isNamed }: Of): Sql => sql`
  SELECT (SELECT coalesce(json_agg(json_build_object('name', e.name, 'from', e.first_day, 'to', e.last_day)
      ORDER BY e.first_day), '[]') FROM terms e) AS terms,
    ${rangesOf(sql`special.off - special.excused`)} AS off, ${rangesOf(sql`special.excused`)} AS excused,
    ${rangesOf(sql`special.school`)} AS school, (
      SELECT coalesce(json_agg(json_build_object('name', x.name, 'kind', x.kind,
        'first', x.first_day - date '1970-01-01', 'last', x.last_day - date '1970-01-01')
        ORDER BY x.of_school, x.first_day, x.name), '[]')
      FROM (
        SELECT CASE WHEN ${isNamed} THEN e.name ELSE '' END AS name, e.kind, e.first_day, e.last_day, e.group_id IS NULL AS of_school FROM school_days e
        WHERE e.group_id IS NULL OR e.group_id IN (${classes})
        UNION ALL
        SELECT d.reason, 'excused', d.first_day, d.last_day, false FROM days_off d WHERE ${excuses}) AS x
    ) AS entries
  FROM (${special}) AS special`;

/** `limitedTo`: an administrator of classes, who does not learn the names of days of other classes. */
export const readPersonYear = one('read_person_year', columns, (userId: number, limitedTo: number | undefined) => {
  const user = t.bigint(userId);
  return yearOf({
    special: specialDays(user),
    classes: sql`SELECT m.group_id FROM group_members m WHERE m.user_id = ${user}`,
    excuses: sql`d.user_id = ${user}`,
    isNamed:
      limitedTo === undefined
        ? sql`true`
        : sql`e.group_id IS NULL OR e.group_id IN (${groupsInScope(t.bigint(limitedTo))})`,
  });
});

/** Of a class, where nobody is excused. */
export const readGroupYear = one('read_group_year', columns, (groupId: number) => {
  const group = t.bigint(groupId);
  return yearOf({
    special: specialDaysOfGroup(group),
    classes: sql`SELECT ${group}`,
    excuses: sql`false`,
    isNamed: sql`true`,
  });
});
