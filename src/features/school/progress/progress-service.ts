import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { ValidationError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { type LimitedTo, scopedFilter } from '../../accounts/admin-scope/admin-scope.ts';
import type { AttentionState, CalendarOwner } from './attention-sql.ts';
import * as readModel from './progress-read-model.ts';
import { type FoundUser, isStandingSort, type ProgressRow } from './progress-read-model.ts';
import {
  costlyField,
  maxComputed,
  needsGoals,
  type ProgressCounts,
  type ProgressListing,
  type ProgressQuery,
  type ProgressState,
  progressStates,
  weeksShown,
} from './progress-schemas.ts';
import { countProgress, type ProgressSelection } from './progress-sql.ts';
import * as standingQueries from './standing-sql.ts';
import { type Standing, unknownStanding, urgencyOf } from './standing-sql.ts';
import type { TrendQuery, TrendWeek } from './trend-schemas.ts';

export type Progress = ProgressRow & Standing;
type Listed = { entries: Progress[]; total: number };
type TakeProgress = (entries: readonly Progress[]) => Promise<void>;

export type ProgressService = ReturnType<typeof createProgressService>;

const exportBatch = 100;
/** Users per statement: the states of more users take less each, standings with their days of study take long. */
const perStatement = { states: 1000, standings: 200 };

const needsOrder = ({ state, sort }: ProgressListing) => needsGoals(state) || isStandingSort(sort);
const activeUsers = { status: 'active', search: '', sort: 'username', order: 'asc' } as const;

export function createProgressService({ store, clock }: { store: Db; clock: Clock }) {
  async function withStandings(rows: readonly ProgressRow[], now: Date): Promise<Progress[]> {
    const users = rows.map(({ user_id, timezone }) => ({ user_id, zone: timezone }));
    const standings = await standingQueries.readStandings(store, users, now);
    return rows.map((row) => ({ ...unknownStanding, ...row, ...standings.get(row.user_id) }));
  }

  async function refuseTooMany(selection: ProgressSelection, field: string): Promise<void> {
    if ((await countProgress(store, selection)) <= maxComputed) return;
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
      for (const { user_id, state } of await standingQueries.readStates(store, batch, now)) states.set(user_id, state);
    });
    return states;
  }

  /** The ids of users, in the order of the list if that is computed for each. */
  async function inOrder(users: readonly FoundUser[], { sort, order }: ProgressListing, now: Date): Promise<number[]> {
    if (!isStandingSort(sort)) return users.map(({ user_id }) => user_id);
    const standings = new Map<number, Standing>();
    await inBatches(users, perStatement.standings, async (batch) => {
      for (const [id, standing] of await standingQueries.readStandings(store, batch, now)) standings.set(id, standing);
    });
    const direction = order === 'asc' ? 1 : -1;
    return users
      .map((user) => {
        const standing = standings.get(user.user_id) ?? unknownStanding;
        const this_week = standing.weeks[weeksShown - 1] ?? 0;
        return { ...standing, user_id: user.user_id, this_week, urgency: urgencyOf({ ...user, ...standing }, now) };
      })
      .sort((a, b) => direction * (a[sort] - b[sort] || a.user_id - b.user_id))
      .map(({ user_id }) => user_id);
  }

  /** The ids of all users found, in order, if the list depends on what is computed for each. */
  async function orderUsers(query: ProgressListing & LimitedTo, now: Date): Promise<number[]> {
    const { state } = query;
    const users = await readModel.listUsers(store, { ...query, now });
    if (!needsGoals(state)) return inOrder(users, query, now);
    const states = await readStates(users, now);
    return inOrder(
      users.filter(({ user_id }) => states.get(user_id) === state),
      query,
      now,
    );
  }

  async function readPage(ids: readonly number[], query: ProgressQuery & LimitedTo, now: Date): Promise<Listed> {
    const { page, limit } = query;
    const rows = await readModel.read(store, ids.slice((page - 1) * limit, page * limit), { ...query, now });
    return { entries: await withStandings(rows, now), total: ids.length };
  }

  /** All users found, whatever their state, if they are few. Only those of the whole school are counted first, from an index. */
  async function findFew(query: ProgressQuery & LimitedTo, now: Date): Promise<FoundUser[] | undefined> {
    const { search, group_id, project_id, inactive_days, limitedTo } = query;
    const selection = { ...query, state: undefined, now };
    const ofSchool = search === '' && [group_id, project_id, inactive_days, limitedTo].every((by) => by === undefined);
    if (ofSchool && (await countProgress(store, selection)) > maxComputed) return undefined;
    const users = await readModel.listUsers(store, selection, maxComputed + 1);
    return users.length > maxComputed ? undefined : users;
  }

  /** A page of more users than are counted by state. */
  async function listOfMany(query: ProgressQuery & LimitedTo, now: Date): Promise<Listed> {
    if (needsOrder(query)) return readPage(await orderUsers(query, now), query, now);
    const selection = { ...query, now };
    const rows = await readModel.list(store, selection);
    return { entries: await withStandings(rows, now), total: await countProgress(store, selection) };
  }

  /** A page, and how many of all found users, whatever state is asked for, are in each state. */
  async function listOfFew(
    users: readonly FoundUser[],
    { state, ...query }: ProgressQuery & LimitedTo,
    now: Date,
  ): Promise<Listed & { counts: ProgressCounts }> {
    const states = await readStates(users, now);
    const isIn = (wanted: ProgressState) => (user: FoundUser) =>
      wanted === 'studying' ? user.is_studying : states.get(user.user_id) === wanted;
    const found = state === undefined ? users : users.filter(isIn(state));
    const counts = progressStates.map((each) => [each, users.filter(isIn(each)).length]);
    return {
      ...(await readPage(await inOrder(found, query, now), query, now)),
      counts: Object.fromEntries(counts) as ProgressCounts,
    };
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
      const few = await findFew(query, now);
      return few === undefined ? { ...(await listOfMany(query, now)), counts: null } : listOfFew(few, query, now);
    },

    /** How many of the present users were on track at this time of each of the last weeks, the latest last. */
    async readTrend(actor: Actor, { group_id }: TrendQuery): Promise<TrendWeek[]> {
      const now = clock();
      const selection = await scopedFilter(store, actor, { ...activeUsers, group_id, now });
      if (group_id === undefined) await refuseTooMany(selection, 'group_id');
      const users = await readModel.listUsers(store, selection);
      const weeks = Array.from({ length: weeksShown - 1 }, (_, index) => {
        const at = new Date(now.getTime() - 7 * 86_400_000 * (weeksShown - 1 - index));
        return { at: at.toISOString(), users: 0, on_track: 0 };
      });
      const times = weeks.map(({ at }) => new Date(at));
      await inBatches(users, perStatement.standings, async (batch) => {
        for (const { at, state } of await standingQueries.readPastStates(store, batch, times)) {
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
            const rows: readonly ProgressRow[] = await readModel.listAfter(store, selection, after, exportBatch);
            if (rows.length > 0) await take(await withStandings(rows, selection.now));
            after = rows[exportBatch - 1]?.username.toLowerCase();
          }
        };
      return async (take) => {
        const ids = await orderUsers(query, selection.now);
        for (let first = 0; first < ids.length; first += exportBatch) {
          const rows = await readModel.read(store, ids.slice(first, first + exportBatch), selection);
          await take(await withStandings(rows, selection.now));
        }
      };
    },
  };
}
