import { type Sql, sql } from '../../../db/sql/sql.ts';
import { type CalendarParameters, studyClock } from '../calendar/study-days.ts';

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
export function studiedHours(condition: Sql, parameters: CalendarParameters, ofDay: Sql): Sql {
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
