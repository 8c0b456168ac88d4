import { type Interpolation, type Sql, sql } from '../../../db/sql/sql.ts';

// The aliases are long, because those of statements around would otherwise be hidden in `user`.
const daysOf = (condition: Sql): Sql => sql`(
    SELECT coalesce(range_agg(daterange(entry.first_day, entry.last_day, '[]')), '{}')
    FROM school_days entry WHERE ${condition})`;
const ofSchool = (kind: Sql): Sql => daysOf(sql`entry.group_id IS NULL AND entry.kind = ${kind}`);
const ofClasses = (kind: Sql, groups: Sql): Sql => daysOf(sql`entry.kind = ${kind} AND entry.group_id IN (${groups})`);

/**
 * SQL: a row with the sets of days `off` and `school` of a user. This is the only definition of what a day is: excused >
 * entry of a class > entry of the school > rest weekday > ordinary, and between two of one kind `school_day` wins. `off`
 * are the days that are off or excused, `excused` the latter; `school` are those of lessons, also on a rest weekday. The
 * days of the school are read once per statement. `excuses`: a condition on the rows `day_off` of the user.
 */
export const specialDays = (user: Interpolation, excuses = sql`true`): Sql =>
  decideDays(
    sql`SELECT membership.group_id FROM group_members membership WHERE membership.user_id = ${user}`,
    sql`SELECT coalesce(range_agg(daterange(day_off.first_day, day_off.last_day, '[]')), '{}') FROM days_off day_off
       WHERE day_off.user_id = ${user} AND ${excuses}`,
  );

/** SQL: the same for the lessons of a group, where nobody is excused. */
export const specialDaysOfGroup = (group: Interpolation): Sql =>
  decideDays(sql`SELECT ${group}`, sql`SELECT '{}'::datemultirange`);

const decideDays = (groups: Sql, excused: Sql): Sql => sql`
  SELECT (sets.school_off - sets.school_days - sets.class_days) + (sets.class_off - sets.class_days) + sets.excused AS off,
    (sets.school_days - (sets.class_off - sets.class_days)) + sets.class_days - sets.excused AS school, sets.excused
  FROM (
    SELECT ${ofSchool(sql`'off'`)} AS school_off, ${ofSchool(sql`'school_day'`)} AS school_days,
      ${ofClasses(sql`'off'`, groups)} AS class_off, ${ofClasses(sql`'school_day'`, groups)} AS class_days,
      (${excused}) AS excused
    OFFSET 0) AS sets`;

/** SQL: how many days from the first to the last are not in the set of days off. */
export const daysOn = (off: Sql, first: Sql, last: Sql): Sql => sql`days_on(${off}, ${first}, ${last})`;

/** SQL: the first of the latest days up to one that are not off. */
export const firstOfDaysOn = (off: Sql, last: Sql, number: Interpolation): Sql =>
  sql`first_of_days_on(${off}, ${last}, ${number})`;

/** SQL: a set of days as numbers `[first, last]` from 1970-01-01, for TypeScript. */
export const rangesOf = (days: Sql): Sql => sql`(
    SELECT coalesce(json_agg(json_build_array(lower(r) - date '1970-01-01', upper(r) - 1 - date '1970-01-01') ORDER BY r), '[]')
    FROM unnest(${days}) AS r)`;
