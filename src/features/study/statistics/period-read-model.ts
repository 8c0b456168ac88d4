import type { Reader } from '../../../actor.ts';
import { type Sql, sql, t } from '../../../db/sql/sql.ts';
import { value } from '../../../db/statements.ts';
import type { SamePart } from '../calendar/compared-periods.ts';
import type { Day } from '../calendar/day-kinds.ts';
import {
  type Calendar,
  type CalendarParameters,
  calendarParameters,
  dayNumber,
  dayStartOf,
  sessionsUntil,
  studiedDays,
  studyClock,
  studyDays,
  untilSameTime,
} from '../calendar/study-days.ts';
import { dateOf, type StudiedDays } from '../calendar/study-figures.ts';
import { colorFor } from '../project-access/project-sql.ts';
import type { projectCategories } from '../project-access/project-values.ts';
import { readerOf, shownProjectName } from '../study-sessions/session-sql.ts';

/** SQL: the quarter of an hour in which a session `s` began, and the following one. */
const firstQuarter = sql`date_bin('15 minutes', s.started_at, '2000-01-01Z')`;
const nextQuarter = sql`(${firstQuarter} + interval '15 minutes')`;
const secondsUntil = (time: Sql): Sql => sql`floor(extract(epoch FROM ${time} - s.started_at))::integer`;

/**
 * SQL: CTEs that end in `hours` (weekday, hour, seconds): the seconds of study in the hours of the clock, by weekday of the
 * day of study `k.day`, of finished sessions of one user that match the conditions. `calendar` is that of `studyDays`.
 *
 * UTC offsets are multiples of a quarter of an hour, so that each quarter is within one hour of the clock: sessions are added
 * up by quarters first, and only quarters are converted. A period has a bounded number of them, while it may have a record
 * for each second.
 */
function studiedHours(condition: Sql, parameters: CalendarParameters, ofDay: Sql): Sql {
  const clock = studyClock(sql`q.quarter`, parameters, sql`c.day_start`);
  const sessions = sql`FROM study_sessions s WHERE ${condition} AND s.ended_at IS NOT NULL`;
  return sql`
  quarters AS MATERIALIZED (
    SELECT q.quarter, sum(q.seconds) AS seconds
    FROM (
      SELECT ${firstQuarter} AS quarter,
        CASE WHEN s.ended_at > ${nextQuarter} THEN ${secondsUntil(nextQuarter)} ELSE s.duration_seconds END AS seconds
      ${sessions}
      UNION ALL
      SELECT tick.quarter, ${secondsUntil(sql`least(tick.quarter + interval '15 minutes', s.ended_at)`)}
        - ${secondsUntil(sql`tick.quarter`)}
      FROM (SELECT s.started_at, s.ended_at ${sessions} AND s.ended_at > ${nextQuarter} OFFSET 0) AS s
      CROSS JOIN LATERAL generate_series(${nextQuarter}, s.ended_at, interval '15 minutes') AS tick (quarter)
    ) AS q
    GROUP BY q.quarter),
  hours AS MATERIALIZED (
    SELECT extract(isodow FROM k.day)::integer AS weekday, k.hour, sum(k.seconds) AS seconds
    FROM (
      SELECT l.clock::date AS day, extract(hour FROM l.clock + l.day_start)::integer AS hour, l.seconds
      FROM (
        SELECT q.seconds, c.day_start, ${clock} AS clock FROM quarters q CROSS JOIN calendar c WHERE q.seconds > 0
        OFFSET 0) AS l) AS k
    WHERE ${ofDay}
    GROUP BY 1, 2)`;
}

/** The sessions that began on a day; times in seconds. */
type StartedDay = [day: Day, sessions: number, seconds: number, longest: number, shortest: number];
type Category = (typeof projectCategories)[number];

export type Period = { from: Day; to: Day };
/** With `samePart`, study counts up to the same time as in the period that is compared with this one. */
export type PeriodPart = Period & { samePart?: SamePart | undefined };
/** The days and starts also of some days around the period. */
export type PeriodRow = StudiedDays & { started: StartedDay[] };
/** Seconds with a tag; null: with any tag. */
type TaggedSeconds = [tag: string | null, seconds: number];

/** Rows are as many as a response shows, however many records there are. The most seconds are first. */
export type PersonalPeriodRow = PeriodRow & {
  tags: TaggedSeconds[];
  projects: { id: number; name: string; category: Category; color: number; seconds: number }[];
  /** How many projects were studied, also those that are not shown. */
  studied: number;
  categories: [category: Category, seconds: number][];
  /** By the first day of the week. */
  weeks: [first: Day, projectId: number, seconds: number][];
  hours: [weekday: number, hour: number, seconds: number][];
};

/** As many projects as the lists of statistics have. */
const maxProjects = 20;

const time = (day: Day) => t.timestamptz(new Date(`${dateOf(day)}T00:00:00Z`));

/** SQL: the condition, for sessions of a period in any time zone. */
const within = (condition: Sql, { from, to }: Period): Sql => sql`
  ${condition} AND s.started_at > ${time(from - 3)} AND s.started_at < ${time(to + 3)}`;

/** SQL: the seconds of a session `s` on these days. */
function secondsBetweenDays({ from, to }: Period, parameters: CalendarParameters): Sql {
  const opens = dayStartOf(sql`${t.date(dateOf(from))}`, parameters);
  const closes = dayStartOf(sql`${t.date(dateOf(to + 1))}`, parameters);
  const until = (moment: Sql) =>
    sql`floor(extract(epoch FROM least(greatest(${moment}, s.started_at), s.ended_at) - s.started_at))`;
  return sql`${until(closes)} - ${until(opens)}`;
}

/** SQL: the time up to which study counts; undefined for all of it. */
function endOfPart({ samePart }: PeriodPart, { zone, now, user_id }: CalendarParameters): Sql | undefined {
  if (samePart === undefined) return undefined;
  const dayStart = sql`make_interval(hours => coalesce((SELECT u.day_start_hour FROM users u WHERE u.id = ${user_id}), 0))`;
  return untilSameTime(samePart, sql`${now}`, sql`${zone}`, studyClock(now, { zone }, dayStart));
}

const startedDays = sql`
  'started', coalesce((
    SELECT json_agg(json_build_array(${dayNumber(sql`d.day`)}, d.number, d.seconds, d.longest, d.shortest) ORDER BY d.day)
    FROM (
      SELECT d.day, sum(d.number) AS number, sum(d.seconds) AS seconds, max(d.longest) AS longest,
        min(d.shortest) AS shortest
      FROM started d GROUP BY d.day) AS d), '[]')`;

export const readProject = value(
  'read_project_period',
  { period: t.json<PeriodRow>() },
  (projectId: number, userId: number | null, calendar: Calendar, period: PeriodPart) => {
    const parameters = calendarParameters(calendar);
    const ofUser = userId === null ? sql`` : sql` AND s.user_id = ${t.bigint(userId)}`;
    const condition = within(sql`s.project_id = ${t.bigint(projectId)}${ofUser}`, period);
    return sql`
      WITH ${studyDays(condition, parameters, endOfPart(period, parameters))}
      SELECT json_build_object(${studiedDays}, ${startedDays}) AS period FROM today`;
  },
);

/** The hours of the clock are those of the whole period, also of a part. */
export const readUser = value(
  'read_user_period',
  { period: t.json<PersonalPeriodRow>() },
  (reader: Reader, userId: number, calendar: Calendar, period: PeriodPart) => {
    const parameters = calendarParameters(calendar);
    const ofUser = sql`s.user_id = ${t.bigint(userId)}`;
    const until = endOfPart(period, parameters);
    const [from, to] = [t.date(dateOf(period.from)), t.date(dateOf(period.to))];
    const inPeriod = (day: Sql) => sql`${day} BETWEEN ${from} AND ${to}`;
    return sql`
      WITH ${studyDays(within(ofUser, period), parameters, until)},
      ${studiedHours(within(ofUser, period), parameters, inPeriod(sql`k.day`))},
      tagged AS MATERIALIZED (
        SELECT s.tags, sum(${secondsBetweenDays(period, parameters)}) AS seconds
        FROM ${sessionsUntil(until)} WHERE ${within(ofUser, period)} AND s.tags <> '{}' AND s.ended_at IS NOT NULL
        GROUP BY s.tags),
      by_week AS MATERIALIZED (
        SELECT d.project_id, d.day - (extract(isodow FROM d.day)::integer - c.week_start + 7) % 7 AS week,
          sum(d.seconds) AS seconds
        FROM pieces d CROSS JOIN calendar c WHERE ${inPeriod(sql`d.day`)} GROUP BY 1, 2),
      by_project AS MATERIALIZED (
        SELECT b.project_id, p.category, b.seconds
        FROM (SELECT w.project_id, sum(w.seconds) AS seconds FROM by_week w GROUP BY w.project_id) AS b
        JOIN projects p ON p.id = b.project_id),
      shown AS MATERIALIZED (
        SELECT * FROM by_project ORDER BY seconds DESC, project_id LIMIT ${t.integer(maxProjects)})
      SELECT json_build_object(${studiedDays}, ${startedDays},
        'tags', coalesce((
          SELECT json_agg(json_build_array(g.tag, g.seconds) ORDER BY g.seconds DESC, g.tag)
          FROM (
            SELECT u.tag, sum(d.seconds) AS seconds
            FROM tagged d CROSS JOIN LATERAL unnest(d.tags || ARRAY[NULL::text]) AS u (tag)
            GROUP BY u.tag HAVING sum(d.seconds) > 0) AS g), '[]'),
        'studied', (SELECT count(*) FROM by_project),
        'categories', coalesce((
          SELECT json_agg(json_build_array(c.category, c.seconds) ORDER BY c.seconds DESC, c.category)
          FROM (SELECT b.category, sum(b.seconds) AS seconds FROM by_project b GROUP BY b.category) AS c), '[]'),
        'projects', coalesce((
          SELECT json_agg(json_build_object('id', p.id, 'name', ${shownProjectName(readerOf(reader))},
            'category', p.category, 'color', ${colorFor(t.bigint(userId))}, 'seconds', b.seconds) ORDER BY b.seconds DESC, b.project_id)
          FROM shown b JOIN projects p ON p.id = b.project_id), '[]'),
        'weeks', coalesce((
          SELECT json_agg(json_build_array(${dayNumber(sql`w.week`)}, w.project_id, w.seconds)
            ORDER BY w.seconds DESC, w.project_id)
          FROM by_week w WHERE w.project_id IN (SELECT b.project_id FROM shown b)), '[]'),
        'hours', coalesce((
          SELECT json_agg(json_build_array(h.weekday, h.hour, h.seconds) ORDER BY h.weekday, h.hour) FROM hours h), '[]')
        ) AS period
      FROM today`;
  },
);
