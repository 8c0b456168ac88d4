import type { Executor } from '../../../db/database.ts';
import { type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { many } from '../../../db/statements.ts';
import {
  type CalendarParameters,
  dayStartOf,
  isCounted,
  sinceGap,
  studiedDays,
  studyDays,
  todayOf,
} from '../../study/calendar/study-days.ts';
import {
  firstDayOfWeek,
  type StudiedDays,
  secondsBetween,
  studyDaysOf,
  studyFigures,
} from '../../study/calendar/study-figures.ts';
import {
  attentionOf,
  attentionStates,
  type CalendarOwner,
  countGoals,
  type GoalCounts,
  goalCounts,
  isRequestedSilent,
  isSilent,
  ofRequested,
  ofToday,
  requested,
  requestedStates,
} from './attention-sql.ts';
import { daysShown, weeksShown } from './progress-schemas.ts';

const state = t.oneOf(attentionStates);
const soFar = { seconds_then: t.bigint, studied_then: t.boolean };
const standing = {
  user_id: t.bigint,
  zone: t.text,
  studied: t.json<StudiedDays>(),
  excused_today: t.boolean,
  ...soFar,
  state,
  ...goalCounts,
};

/** SQL: a row with the seconds of the same weekday of the week before up to the same time, and whether it was a day of study. */
function sameDaySoFar(calendar: CalendarParameters): Sql {
  const { zone, now, user_id } = calendar;
  const at = sql`((${now}::timestamptz AT TIME ZONE ${zone} - interval '7 days') AT TIME ZONE ${zone})`;
  const until = (time: Sql) => sql`floor(extract(epoch FROM ${time} - s.started_at))`;
  const all = until(sql`least(s.ended_at, day.at)`);
  const before = until(sql`greatest(s.started_at, day.opens)`);
  return sql`
    SELECT coalesce(sum(${all} - ${before}), 0)::bigint AS seconds_then,
      coalesce(bool_or(${isCounted(all)} AND ${all} > ${before}), false) AS studied_then
    FROM (SELECT ${at} AS at, ${dayStartOf(sql`today.day - 7`, calendar)} AS opens OFFSET 0) AS day
    JOIN study_sessions s ON s.user_id = ${user_id} AND s.started_at < day.at AND s.ended_at > day.opens
      AND s.started_at > day.opens - interval '2 days'`;
}
export type Standing = GoalCounts &
  Pick<RowOf<typeof standing>, 'state' | 'excused_today'> &
  ReturnType<typeof studyOf> & { current_streak: number; studied_then: boolean };

/** For a user deleted in the meantime. */
export const unknownStanding: Standing = {
  state: 'without_goals',
  current_streak: 0,
  weeks: Array(weeksShown).fill(0),
  days: Array(daysShown).fill(0),
  days_studied: Array(daysShown).fill(false),
  studied_then: false,
  excused_today: false,
  last_week_so_far: 0,
  goals_not_started: 0,
  goals_overdue: 0,
  goals_behind: 0,
  goals_slowing: 0,
  goals_on_track: 0,
  goals_ahead: 0,
  goals_done: 0,
  goals_total: 0,
  goals_near: 0,
};

// With the definitions of statistics and goals, in the calendar of each user.
const readRows = many('read_standings', standing, (users: readonly CalendarOwner[], now: Date) => {
  const calendar = ofRequested(t.timestamptz(now));
  return sql`
      SELECT requested.user_id, requested.zone, figures.*
      FROM ${requested(users)}
      CROSS JOIN LATERAL (
        WITH ${studyDays(sinceGap(sql`requested.user_id`, calendar.now, weeksShown * 7 + 8), calendar)}
        SELECT json_build_object(${studiedDays}) AS studied,
          EXISTS (SELECT FROM days_off d WHERE d.user_id = requested.user_id AND today.day BETWEEN d.first_day AND d.last_day)
            AS excused_today,
          earlier.*, ${attentionOf(isRequestedSilent(calendar.now))} AS state, goals.*
        FROM today CROSS JOIN LATERAL (${countGoals(calendar)}) AS goals
        CROSS JOIN LATERAL (${sameDaySoFar(calendar)}) AS earlier) AS figures`;
});

export const readStates = many(
  'read_attention_states',
  { user_id: t.bigint, state },
  (users: readonly CalendarOwner[], now: Date) => {
    const calendar = ofRequested(t.timestamptz(now));
    return sql`
      SELECT requested.user_id, ${attentionOf(sql`requested.is_silent`)} AS state
      FROM ${requestedStates(users, calendar.now)}
      CROSS JOIN LATERAL (SELECT requested.day, requested.off) AS today
      CROSS JOIN LATERAL (${countGoals(calendar)}) AS goals`;
  },
);

/** The state of each user at earlier times, except before the user was created, by the goals that the user still has. */
export const readPastStates = many(
  'read_past_attention_states',
  { at: t.timestamptz, state },
  (users: readonly CalendarOwner[], times: readonly Date[]) => {
    const at = sql`moment.at`;
    const calendar = ofRequested(at);
    const own = sql`FROM study_sessions s WHERE s.user_id = requested.user_id AND s.started_at <= ${at}`;
    const silent = isSilent(
      sql`(SELECT s.ended_at ${own} AND s.ended_at <= ${at} ORDER BY s.started_at DESC LIMIT 1)`,
      sql`EXISTS (SELECT ${own} AND s.started_at > ${at} - interval '2 days' AND coalesce(s.ended_at > ${at}, true))`,
      at,
      ofToday,
    );
    return sql`
      SELECT moment.at, ${attentionOf(silent)} AS state
      FROM ${requested(users)}
      JOIN users u ON u.id = requested.user_id
      JOIN unnest(${t.timestamptzs(times.map((time) => time.toISOString()))}) AS moment (at) ON u.created_at <= moment.at
      CROSS JOIN LATERAL (${todayOf(calendar)} OFFSET 0) AS today
      CROSS JOIN LATERAL (${countGoals(calendar, at)}) AS goals`;
  },
);

/** Seconds of the latest weeks and days, the current ones last, and of the week before up to the same time. */
function studyOf({ today, week_start, days, uncounted }: StudiedDays, secondsThen: number) {
  const week = firstDayOfWeek(today, week_start);
  const counted = new Set(studyDaysOf({ days, uncounted }));
  return {
    weeks: Array.from({ length: weeksShown }, (_, index) => {
      const first = week - 7 * (weeksShown - 1 - index);
      return secondsBetween({ days }, first, first + 6);
    }),
    days: Array.from({ length: daysShown }, (_, index) => {
      const day = today - (daysShown - 1 - index);
      return secondsBetween({ days }, day, day);
    }),
    days_studied: Array.from({ length: daysShown }, (_, index) => counted.has(today - (daysShown - 1 - index))),
    last_week_so_far: secondsBetween({ days }, week - 7, today - 8) + secondsThen,
  };
}

function standingOf({ user_id: _, zone, studied, seconds_then, ...others }: RowOf<typeof standing>): Standing {
  return { current_streak: studyFigures(studied, zone).current_streak, ...others, ...studyOf(studied, seconds_then) };
}

export const readStandings = async (db: Executor, users: readonly CalendarOwner[], now: Date) =>
  new Map((await readRows(db, users, now)).map((row) => [row.user_id, standingOf(row)]));

const rank = 1_000_000;

/** More for users who should be looked at first: by their state, then by days of silence or the number of such goals. */
export function urgencyOf(user: Standing & { last_session: string | null }, now: Date): number {
  const { state, last_session } = user;
  const urgent = {
    silent: (now.getTime() - Date.parse(last_session ?? '')) / 86_400_000,
    overdue: user.goals_overdue,
    behind: user.goals_behind,
    slowing: user.goals_slowing,
    not_started: user.goals_not_started,
    on_track: user.goals_ahead === user.goals_total ? 0 : 1,
    without_goals: 0,
  }[state];
  return (attentionStates.length - attentionStates.indexOf(state)) * rank + Math.floor(urgent);
}
