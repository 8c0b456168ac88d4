import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { ValidationError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { type LimitedTo, scopedFilter } from '../../accounts/admin-scope/admin-scope.ts';
import { type AttentionState, attentionStates, type CalendarOwner } from './attention-sql.ts';
import { isStandingSort, type ProgressReadModel, type ProgressRow } from './progress-read-model.ts';
import {
  costlyField,
  daysShown,
  maxComputed,
  needsGoals,
  type ProgressCounts,
  type ProgressListing,
  type ProgressQuery,
  weeksShown,
} from './progress-schemas.ts';
import type { ProgressSelection } from './progress-sql.ts';
import { type Standing, urgencyOf } from './standing-sql.ts';
import type { TrendQuery, TrendWeek } from './trend-schemas.ts';

export type Progress = ProgressRow & Standing;
type Listed = { entries: Progress[]; total: number };
type TakeProgress = (entries: readonly Progress[]) => Promise<void>;

export type ProgressServiceOptions = { store: Db; readModel: ProgressReadModel; clock: Clock };
export type ProgressService = ReturnType<typeof createProgressService>;

const exportBatch = 100;
/** Users per statement: the states of more users take less each, standings with their days of study take long. */
const perStatement = { states: 1000, standings: 200 };
/** For a user deleted in the meantime. */
const unknown: Standing = {
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

const needsOrder = ({ state, sort }: ProgressListing) => needsGoals(state) || isStandingSort(sort);
const activeUsers = { status: 'active', search: '', sort: 'username', order: 'asc' } as const;

export function createProgressService({ store, readModel, clock }: ProgressServiceOptions) {
  async function withStandings(rows: readonly ProgressRow[], now: Date): Promise<Progress[]> {
    const users = rows.map(({ user_id, timezone }) => ({ user_id, zone: timezone }));
    const standings = await readModel.readStandings(users, now);
    return rows.map((row) => ({ ...unknown, ...row, ...standings.get(row.user_id) }));
  }

  async function refuseTooMany(selection: ProgressSelection, field: string): Promise<void> {
    if ((await readModel.count(selection)) <= maxComputed) return;
    throw new ValidationError([{ field, message: { key: 'too_many_to_compute', params: { maximum: maxComputed } } }]);
  }

  async function inBatches(
    users: readonly CalendarOwner[],
    size: number,
    read: (batch: readonly CalendarOwner[]) => Promise<void>,
  ) {
    for (let at = 0; at < users.length; at += size) await read(users.slice(at, at + size));
  }

  /** The state of attention of each user. */
  async function readStates(users: readonly CalendarOwner[], now: Date): Promise<Map<number, AttentionState>> {
    const states = new Map<number, AttentionState>();
    await inBatches(users, perStatement.states, async (batch) => {
      for (const { user_id, state } of await readModel.readStates(batch, now)) states.set(user_id, state);
    });
    return states;
  }

  /** How many of all found users, whatever state is asked for, are in each state; null if there are too many. */
  async function countStates(
    { state: _, ...others }: ProgressListing & LimitedTo,
    now: Date,
  ): Promise<ProgressCounts | null> {
    const selection = { ...others, now };
    if ((await readModel.count(selection)) > maxComputed) return null;
    const users = await readModel.listUsers({ ...selection, sort: 'username' });
    const states = [...(await readStates(users, now)).values()];
    const number = (state: AttentionState) => states.filter((each) => each === state).length;
    const counts = Object.fromEntries(attentionStates.map((state) => [state, number(state)]));
    return { ...counts, studying: await readModel.count({ ...selection, state: 'studying' }) } as ProgressCounts;
  }

  /** The ids of all users found, in order, if the list depends on what is computed for each. */
  async function orderUsers(query: ProgressListing & LimitedTo, now: Date): Promise<number[]> {
    const { state, sort, order } = query;
    const all = await readModel.listUsers({ ...query, now });
    const states = needsGoals(state) ? await readStates(all, now) : undefined;
    const users = all.filter(({ user_id }) => states === undefined || states.get(user_id) === state);
    if (!isStandingSort(sort)) return users.map(({ user_id }) => user_id);
    const standings = new Map<number, Standing>();
    await inBatches(users, perStatement.standings, async (batch) => {
      for (const [id, standing] of await readModel.readStandings(batch, now)) standings.set(id, standing);
    });
    const direction = order === 'asc' ? 1 : -1;
    return users
      .map((user) => {
        const standing = standings.get(user.user_id) ?? unknown;
        const this_week = standing.weeks[weeksShown - 1] ?? 0;
        return { ...standing, user_id: user.user_id, this_week, urgency: urgencyOf({ ...user, ...standing }, now) };
      })
      .sort((a, b) => direction * (a[sort] - b[sort] || a.user_id - b.user_id))
      .map(({ user_id }) => user_id);
  }

  async function listPage(query: ProgressQuery & LimitedTo, now: Date): Promise<Listed> {
    const { page, limit } = query;
    if (needsOrder(query)) {
      const ids = await orderUsers(query, now);
      const rows = await readModel.read(ids.slice((page - 1) * limit, page * limit), { ...query, now });
      return { entries: await withStandings(rows, now), total: ids.length };
    }
    const selection = { ...query, now };
    const rows = await readModel.list(selection);
    return { entries: await withStandings(rows, now), total: await readModel.count(selection) };
  }

  async function refuseCostly(query: ProgressListing & LimitedTo, now: Date): Promise<void> {
    const costly = costlyField(query);
    if (costly !== undefined) await refuseTooMany({ ...query, now }, costly);
  }

  return {
    readStates,

    async list(actor: Actor, given: ProgressQuery): Promise<Listed & { counts: ProgressCounts | null }> {
      const now = clock();
      const query = await scopedFilter(store, actor, given);
      await refuseCostly(query, now);
      return { ...(await listPage(query, now)), counts: await countStates(query, now) };
    },

    /** How many of the present users were on track at this time of each of the last weeks, the latest last. */
    async readTrend(actor: Actor, { group_id }: TrendQuery): Promise<TrendWeek[]> {
      const now = clock();
      const selection = await scopedFilter(store, actor, { ...activeUsers, group_id, now });
      if (group_id === undefined) await refuseTooMany(selection, 'group_id');
      const users = await readModel.listUsers(selection);
      const weeks = Array.from({ length: weeksShown - 1 }, (_, index) => {
        const at = new Date(now.getTime() - 7 * 86_400_000 * (weeksShown - 1 - index));
        return { at: at.toISOString(), users: 0, on_track: 0 };
      });
      const times = weeks.map(({ at }) => new Date(at));
      await inBatches(users, perStatement.standings, async (batch) => {
        for (const { at, state } of await readModel.readPastStates(batch, times)) {
          const week = weeks.find((each) => each.at === at);
          if (week === undefined) throw new Error(`the statement returned the unknown time ${at}`);
          week.users += 1;
          week.on_track += Number(state === 'on_track');
        }
      });
      return weeks;
    },

    /** Returns what passes on all users of the list, in batches: no connection is held while a client reads. */
    async export(actor: Actor, given: ProgressListing): Promise<(take: TakeProgress) => Promise<void>> {
      const query = await scopedFilter(store, actor, given);
      const selection = { ...query, now: clock() };
      await refuseCostly(query, selection.now);
      if (query.sort === 'username' && query.order === 'asc' && !needsGoals(query.state))
        return async (take) => {
          for (let after: string | undefined = ''; after !== undefined; ) {
            const rows: readonly ProgressRow[] = await readModel.listAfter(selection, after, exportBatch);
            if (rows.length > 0) await take(await withStandings(rows, selection.now));
            after = rows[exportBatch - 1]?.username.toLowerCase();
          }
        };
      return async (take) => {
        const ids = await orderUsers(query, selection.now);
        for (let first = 0; first < ids.length; first += exportBatch) {
          const rows = await readModel.read(ids.slice(first, first + exportBatch), selection);
          await take(await withStandings(rows, selection.now));
        }
      };
    },
  };
}
