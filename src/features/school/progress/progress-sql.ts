import { containsByPairs } from '../../../db/sql/search.ts';
import { empty, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { value } from '../../../db/statements.ts';
import { studentsInScope } from '../../../transactions/scope-sql.ts';
import type { LimitedTo } from '../../accounts/admin-scope/admin-scope.ts';
import { isMember } from '../../accounts/users/user-repository.ts';
import { specialDays } from '../../study/calendar/day-kind-sql.ts';
import { studyClock } from '../../study/calendar/study-days.ts';
import { daysOnAgo, isLongAgo, isSilent, silentDays } from './attention-sql.ts';
import type { ProgressFilters, ProgressQuery } from './progress-schemas.ts';

export type ProgressSelection = ProgressFilters & LimitedTo & { now: Date } & Pick<Partial<ProgressQuery>, 'state'>;

/** SQL: whether a timer of a user `u` is running. */
export const isStudying = sql`EXISTS (SELECT FROM study_sessions r WHERE r.user_id = u.id AND r.ended_at IS NULL)`;
const latest = sql`k.last_session_at`;

/** SQL: the day and the days off of a user `u`. */
const todayOfUser = (now: Date) => ({
  day: sql`${studyClock(t.timestamptz(now), { zone: sql`u.timezone` }, sql`make_interval(hours => u.day_start_hour)`)}::date`,
  off: sql`(SELECT special.off FROM (${specialDays(sql`u.id`)}) AS special)`,
});

/** SQL: users `u` with the totals `k` of those who have studied. */
export const found = sql`users u LEFT JOIN user_study_totals k ON k.user_id = u.id`;

/** SQL: whether a user `u` of `found` is found; of the states, those that need no goals. */
export function matches(filter: ProgressSelection): Sql {
  const { status, search, group_id, project_id, inactive_days, state, now, limitedTo } = filter;
  return sql`u.role = 'user' AND u.deleted_at IS NULL
    ${limitedTo === undefined ? empty : sql`AND u.id IN (${studentsInScope(t.bigint(limitedTo))})`}
    ${status === 'all' ? empty : sql`AND u.status = ${t.text(status)}`}
    ${search === '' ? empty : sql`AND ${containsByPairs(search, sql`u.search_text`)}`}
    ${group_id === undefined ? empty : sql`AND ${isMember(sql`u.id`, group_id)}`}
    ${project_id === undefined ? empty : sql`AND u.id IN (SELECT a.user_id FROM project_assignments a WHERE a.project_id = ${t.bigint(project_id)})`}
    ${
      inactive_days === undefined
        ? empty
        : sql`AND CASE WHEN ${latest} IS NULL THEN true WHEN ${latest} >= ${ago(now, inactive_days)} THEN false
        WHEN ${isLongAgo(latest, t.timestamptz(now), inactive_days)} THEN true
        ELSE ${latest} < ${daysOnAgo(t.timestamptz(now), inactive_days, todayOfUser(now))} END`
    }
    ${state === 'silent' ? sql`AND (${isLongAgo(latest, t.timestamptz(now), silentDays)} AND NOT ${isStudying} OR ${isSilent(latest, isStudying, t.timestamptz(now), todayOfUser(now))})` : empty}
    ${state === 'studying' ? sql`AND ${isStudying}` : empty}`;
}

export const ago = (now: Date, days: number) => t.timestamptz(new Date(now.getTime() - days * 86_400_000));

export const countProgress = value(
  'count_progress',
  { total: t.bigint },
  (filter: ProgressSelection) => sql`SELECT count(*) AS total FROM ${found} WHERE ${matches(filter)}`,
);

export const commonSortKeys = {
  username: () => sql`lower(u.username)`,
  total_hours: () => sql`coalesce(k.seconds, 0)`,
  last_session: () => sql`k.last_session_at`,
};
const directions = { asc: sql`ASC`, desc: sql`DESC` };
// Users who have not studied yet come before those who have, users without a project after those with one. Names are
// in the order of their index.
const nullsOrder: Readonly<Record<string, Record<'asc' | 'desc', Sql>>> = {
  groups: { asc: sql`NULLS LAST`, desc: sql`NULLS LAST` },
  timer_started_at: { asc: sql`NULLS LAST`, desc: sql`NULLS LAST` },
  last_session: { asc: sql`NULLS FIRST`, desc: sql`NULLS LAST` },
  project_hours: { asc: sql`NULLS LAST`, desc: sql`NULLS LAST` },
};

type Page = Pick<ProgressQuery, 'limit' | 'page'>;
type PageQuery = ProgressSelection & Pick<ProgressQuery, 'order'> & { sort: string };

/**
 * SQL: CTEs that end in `page`, with the ids of the page, or of all users, and their order. With a search, few users match: sorting
 * their names is cheaper than walking the index of all names.
 */
export function pageOf(filter: PageQuery, key: Sql, page?: Page): { withPage: Sql; orderOfPage: Sql } {
  const direction = directions[filter.order];
  const nulls = nullsOrder[filter.sort]?.[filter.order] ?? empty;
  const order = sql`ORDER BY f.key ${direction} ${nulls}, f.id ${direction}`;
  return {
    withPage: sql`
      found AS ${filter.search === '' && filter.limitedTo === undefined ? sql`NOT MATERIALIZED` : sql`MATERIALIZED`} (
        SELECT u.id, ${key} AS key FROM ${found} WHERE ${matches(filter)}),
      page AS MATERIALIZED (
        SELECT f.id, f.key FROM found f ${order}
        ${page === undefined ? empty : sql`LIMIT ${t.bigint(page.limit)} OFFSET ${t.bigint((page.page - 1) * page.limit)}`})`,
    orderOfPage: order,
  };
}
