import { ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { isStandingSort, type ProgressReadModel, type ProgressRow } from './progress-read-model.ts';
import {
  costlyField,
  daysShown,
  maxComputed,
  type ProgressListing,
  type ProgressQuery,
  type TrendQuery,
  type TrendWeek,
  weeksShown,
} from './progress-schemas.ts';
import type { ProgressSelection } from './progress-sql.ts';
import { type CalendarOwner, isOnTrack, type Standing, urgencyOf } from './standing-sql.ts';

export type Progress = ProgressRow & Standing;
type TakeProgress = (entries: readonly Progress[]) => Promise<void>;

export type ProgressServiceOptions = { readModel: ProgressReadModel; clock: Clock };
export type ProgressService = ReturnType<typeof createProgressService>;

const exportBatch = 100;
/** Users per statement. */
const standingBatch = 200;
/** For a user deleted in the meantime. */
const unknown: Standing = {
  ...{ current_streak: 0, weeks: Array(weeksShown).fill(0), days: Array(daysShown).fill(0), last_week_so_far: 0 },
  ...{ goals_behind: 0, goals_near: 0, goals_overdue: 0, goals_ahead: 0, goals_total: 0 },
};

const needsStandings = ({ state, sort }: ProgressListing) => state === 'behind' || isStandingSort(sort);
const activeUsers = { status: 'active', search: '', sort: 'username', order: 'asc' } as const;

export function createProgressService({ readModel, clock }: ProgressServiceOptions) {
  async function withStandings(rows: readonly ProgressRow[], now: Date): Promise<Progress[]> {
    const users = rows.map(({ user_id, timezone }) => ({ user_id, zone: timezone }));
    const standings = await readModel.readStandings(users, now);
    return rows.map((row) => ({ ...unknown, ...row, ...standings.get(row.user_id) }));
  }

  async function refuseTooMany(selection: ProgressSelection, field: string): Promise<void> {
    if ((await readModel.count(selection)) <= maxComputed) return;
    throw new ValidationError([{ field, message: { key: 'too_many_to_compute', params: { maximum: maxComputed } } }]);
  }

  async function readAll(users: readonly CalendarOwner[], now: Date): Promise<Map<number, Standing>> {
    const standings = new Map<number, Standing>();
    for (let at = 0; at < users.length; at += standingBatch)
      for (const [id, standing] of await readModel.readStandings(users.slice(at, at + standingBatch), now))
        standings.set(id, standing);
    return standings;
  }

  /** The ids of all users found, in order, if their standings are needed for this; with these. */
  async function orderByStanding(query: ProgressListing, now: Date) {
    const { state, sort, order } = query;
    const users = await readModel.listUsers({ ...query, now });
    const standings = await readAll(users, now);
    const found = users
      .map((user) => {
        const standing = standings.get(user.user_id) ?? unknown;
        const { weeks, ...counts } = standing;
        const computed = { this_week: weeks[weeksShown - 1] ?? 0, urgency: urgencyOf({ ...user, ...standing }, now) };
        return { user_id: user.user_id, ...counts, ...computed };
      })
      .filter(({ goals_behind }) => state !== 'behind' || goals_behind > 0);
    const direction = order === 'asc' ? 1 : -1;
    if (isStandingSort(sort)) found.sort((a, b) => direction * (a[sort] - b[sort] || a.user_id - b.user_id));
    return { ids: found.map(({ user_id }) => user_id), standings };
  }

  /** Users whose standings are needed to find or sort them. */
  async function listByStanding(query: ProgressQuery, now: Date): Promise<{ entries: Progress[]; total: number }> {
    const { page, limit } = query;
    const { ids, standings } = await orderByStanding(query, now);
    const rows = await readModel.read(ids.slice((page - 1) * limit, page * limit), now);
    return {
      entries: rows.map((row) => ({ ...row, ...(standings.get(row.user_id) ?? unknown) })),
      total: ids.length,
    };
  }

  async function refuseCostly(query: ProgressListing, now: Date): Promise<void> {
    const costly = costlyField(query);
    if (costly !== undefined) await refuseTooMany({ ...query, now }, costly);
  }

  return {
    async list(query: ProgressQuery): Promise<{ entries: Progress[]; total: number }> {
      const selection = { ...query, now: clock() };
      await refuseCostly(query, selection.now);
      if (needsStandings(query)) return listByStanding(query, selection.now);
      const rows = await readModel.list(selection);
      const total = await readModel.count(selection);
      return { entries: await withStandings(rows, selection.now), total };
    },

    /** How many of the present users were on track at this time of each of the last weeks, the latest last. */
    async readTrend({ group_id }: TrendQuery): Promise<TrendWeek[]> {
      const now = clock();
      const selection = { ...activeUsers, group_id, now };
      if (group_id === undefined) await refuseTooMany(selection, 'group_id');
      const users = await readModel.listUsers(selection);
      const weeks = Array.from({ length: weeksShown - 1 }, (_, index) => {
        const at = new Date(now.getTime() - 7 * 86_400_000 * (weeksShown - 1 - index));
        return { at: at.toISOString(), users: 0, on_track: 0 };
      });
      const times = weeks.map(({ at }) => new Date(at));
      for (let first = 0; first < users.length; first += standingBatch)
        for (const row of await readModel.readPastStandings(users.slice(first, first + standingBatch), times)) {
          const week = weeks.find(({ at }) => at === row.at);
          if (week === undefined) throw new Error(`the statement returned the unknown time ${row.at}`);
          week.users += 1;
          week.on_track += Number(isOnTrack(row, new Date(row.at)));
        }
      return weeks;
    },

    /** The users among them with a goal that is behind or overdue. */
    async listBehind(users: readonly CalendarOwner[], now: Date): Promise<Set<number>> {
      const standings = [...(await readAll(users, now))];
      return new Set(standings.flatMap(([id, { goals_behind }]) => (goals_behind > 0 ? [id] : [])));
    },

    /** Returns what passes on all users of the list, in batches: no connection is held while a client reads. */
    async export(query: ProgressListing): Promise<(take: TakeProgress) => Promise<void>> {
      const selection = { ...query, now: clock() };
      await refuseCostly(query, selection.now);
      if (query.sort === 'username' && query.order === 'asc' && query.state !== 'behind')
        return async (take) => {
          for (let after: string | undefined = ''; after !== undefined; ) {
            const rows: readonly ProgressRow[] = await readModel.listAfter(selection, after, exportBatch);
            if (rows.length > 0) await take(await withStandings(rows, selection.now));
            after = rows[exportBatch - 1]?.username.toLowerCase();
          }
        };
      return async (take) => {
        const ids = needsStandings(query)
          ? (await orderByStanding(query, selection.now)).ids
          : (await readModel.listUsers(selection)).map(({ user_id }) => user_id);
        for (let first = 0; first < ids.length; first += exportBatch) {
          const rows = await readModel.read(ids.slice(first, first + exportBatch), selection.now);
          await take(await withStandings(rows, selection.now));
        }
      };
    },
  };
}
