import { type RowOf, sql, t } from '../../../../db/sql/sql.ts';
import { many, one } from '../../../../db/statements.ts';
import type { SamePart } from '../../../study/calendar/compared-periods.ts';
import { rangesOf, specialDaysOfGroup } from '../../../study/calendar/day-kind-sql.ts';
import type { Day, DayRanges } from '../../../study/calendar/day-kinds.ts';
import { memberClock, memberDays, membersOf } from '../../../study/calendar/member-days-sql.ts';
import { untilSameTime } from '../../../study/calendar/study-days.ts';
import { dateOf } from '../../../study/calendar/study-figures.ts';
import { colorOf } from '../../../study/project-access/project-sql.ts';

/** With `samePart`, study counts up to the same time as in the period compared with it, in the calendar of each member. */
export type Compared = { from: Day; to: Day; samePart?: SamePart | undefined };

const member = {
  user_id: t.bigint,
  username: t.text,
  display_name: t.text,
  studied: t.json<[projectId: number, weekday: number, seconds: number][]>(),
};
export type MemberRow = RowOf<typeof member>;

const dateParameter = (day: Day) => sql`${t.text(dateOf(day))}::date`;

/** Active ordinary members by name, with their seconds by project and weekday. */
export const readMembers = many('read_compared_members', member, (groupId: number, period: Compared, now: Date) => {
  const [first, last] = [dateParameter(period.from), dateParameter(period.to)];
  const { samePart } = period;
  const at = sql`${t.timestamptz(now)}`;
  const until = samePart && untilSameTime(samePart, at, sql`m.zone`, memberClock(at));
  return sql`
    WITH ${membersOf(t.bigint(groupId), t.timestamptz(now), until)},
    ${memberDays(sql`s.started_at > ${first}::timestamp AT TIME ZONE 'UTC' - interval '3 days'
      AND s.started_at < ${last}::timestamp AT TIME ZONE 'UTC' + interval '3 days'`)},
    studied AS (
      SELECT d.user_id, json_agg(json_build_array(d.project_id, d.weekday, d.seconds)) AS studied
      FROM (
        SELECT p.user_id, p.project_id, extract(isodow FROM p.day)::integer AS weekday, sum(p.seconds) AS seconds
        FROM pieces p WHERE p.day BETWEEN ${first} AND ${last} GROUP BY 1, 2, 3 HAVING sum(p.seconds) > 0) AS d
      GROUP BY d.user_id)
    SELECT m.id AS user_id, m.username, m.display_name, coalesce(s.studied, '[]') AS studied
    FROM members m LEFT JOIN studied s ON s.user_id = m.id ORDER BY lower(m.username)`;
});

const lessons = { off: t.json<DayRanges>(), school: t.json<DayRanges>() };
/** The days off and the days of lessons of a group. */
export const readLessons = one(
  'read_lessons_of_group',
  lessons,
  (groupId: number) => sql`
    SELECT ${rangesOf(sql`special.off`)} AS off, ${rangesOf(sql`special.school`)} AS school
    FROM (${specialDaysOfGroup(t.bigint(groupId))}) AS special`,
);

const project = { project_id: t.bigint, project_name: t.text, color: t.integer };
export type ProjectRow = RowOf<typeof project>;
/** In this order. */
export const readProjects = many(
  'read_compared_projects',
  project,
  (ids: readonly number[]) => sql`
    SELECT p.id AS project_id, p.name AS project_name, ${colorOf} AS color FROM unnest(${t.bigints(ids)})
      WITH ORDINALITY AS g (id, position) JOIN projects p ON p.id = g.id ORDER BY g.position`,
);
