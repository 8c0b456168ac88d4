import type { Executor } from '../../db/database.ts';
import { type Sql, sql, t } from '../../db/sql/sql.ts';
import { query } from '../../db/sql/statement.ts';
import type { Reader } from '../projects/project-access.ts';
import type { projectCategories } from '../projects/project-schemas.ts';
import { colorOf } from '../projects/project-sql.ts';
import { readerOf, shownProjectName } from '../study-sessions/session-sql.ts';
import { type Calendar, calendarParameters, dayNumber, studiedDays, studyDays } from './study-days.ts';
import { dateOf, type StudiedDays } from './study-figures.ts';
import type { Day } from './study-runs.ts';

/** The sessions that began on a day; times in seconds. */
type StartedDay = [day: Day, sessions: number, seconds: number, longest: number, shortest: number];
/** Seconds of study on a project in an hour of the clock, on the day of study that contains it. */
type StudiedHour = [projectId: number, day: Day, hour: number, seconds: number];

export type Period = { from: Day; to: Day };
/** The days and starts also of some days around the period. */
export type PeriodRow = StudiedDays & { started: StartedDay[] };
export type PersonalPeriodRow = PeriodRow & {
  hours: StudiedHour[];
  projects: { id: number; name: string; category: (typeof projectCategories)[number]; color: number }[];
};

const time = (day: Day) => t.timestamptz(new Date(`${dateOf(day)}T00:00:00Z`));

/** SQL: the condition, for sessions of a period in any time zone. */
const within = (condition: Sql, { from, to }: Period): Sql => sql`
  ${condition} AND s.started_at > ${time(from - 3)} AND s.started_at < ${time(to + 3)}`;

const startedDays = sql`
  'started', coalesce((
    SELECT json_agg(json_build_array(${dayNumber(sql`d.day`)}, d.number, d.seconds, d.longest, d.shortest) ORDER BY d.day)
    FROM (
      SELECT d.day, sum(d.number) AS number, sum(d.seconds) AS seconds, max(d.longest) AS longest,
        min(d.shortest) AS shortest
      FROM started d GROUP BY d.day) AS d), '[]')`;

const readProject = query(
  'read_project_period',
  { period: t.json<PeriodRow>() },
  (projectId: number, userId: number | null, calendar: Calendar, period: Period) => {
    const ofUser = userId === null ? sql`` : sql` AND s.user_id = ${t.bigint(userId)}`;
    const condition = within(sql`s.project_id = ${t.bigint(projectId)}${ofUser}`, period);
    return sql`
      WITH ${studyDays(condition, calendarParameters(calendar))}
      SELECT json_build_object(${studiedDays}, ${startedDays}) AS period FROM today`;
  },
);

// UTC offsets are multiples of a quarter of an hour, so that each quarter is within one hour of the clock.
const readUser = query(
  'read_user_period',
  { period: t.json<PersonalPeriodRow>() },
  (reader: Reader, userId: number, calendar: Calendar, read: Period, shown: Period) => {
    const parameters = calendarParameters(calendar);
    const ofUser = sql`s.user_id = ${t.bigint(userId)}`;
    return sql`
      WITH ${studyDays(within(ofUser, read), parameters)},
      hours AS MATERIALIZED (
        SELECT q.project_id, q.clock::date AS day, extract(hour FROM q.clock + q.day_start)::integer AS hour,
          sum(q.seconds) AS seconds
        FROM (
          SELECT s.project_id, c.day_start,
            greatest(tick.quarter, s.started_at) AT TIME ZONE ${parameters.zone} - c.day_start AS clock,
            floor(extract(epoch FROM least(tick.quarter + interval '15 minutes', s.ended_at) - s.started_at))
              - floor(extract(epoch FROM greatest(tick.quarter, s.started_at) - s.started_at)) AS seconds
          FROM calendar c CROSS JOIN study_sessions s
          CROSS JOIN LATERAL generate_series(
            date_bin('15 minutes', s.started_at, '2000-01-01Z'), s.ended_at, interval '15 minutes') AS tick (quarter)
          WHERE ${within(ofUser, shown)} AND s.ended_at IS NOT NULL
          OFFSET 0) AS q
        WHERE q.seconds > 0
        GROUP BY q.project_id, 2, 3)
      SELECT json_build_object(${studiedDays}, ${startedDays},
        'hours', coalesce((
          SELECT json_agg(json_build_array(h.project_id, ${dayNumber(sql`h.day`)}, h.hour, h.seconds)) FROM hours h), '[]'),
        'projects', coalesce((
          SELECT json_agg(json_build_object('id', p.id, 'name', ${shownProjectName(readerOf(reader))}, 'category', p.category,
            'color', ${colorOf}))
          FROM (SELECT DISTINCT h.project_id FROM hours h) AS s JOIN projects p ON p.id = s.project_id), '[]')) AS period
      FROM today`;
  },
);

export function createPeriodReadModel(db: Executor) {
  return {
    readProject: async (projectId: number, userId: number | null, calendar: Calendar, period: Period) =>
      (await db.one(readProject(projectId, userId, calendar, period))).period,
    /** Reads the days of `read`, and the hours of `shown`. */
    readUser: async (reader: Reader, userId: number, calendar: Calendar, read: Period, shown: Period) =>
      (await db.one(readUser(reader, userId, calendar, read, shown))).period,
  };
}

export type PeriodReadModel = ReturnType<typeof createPeriodReadModel>;
