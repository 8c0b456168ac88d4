import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { PermissionDeniedError } from '../../../texts/access-errors.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { requireStudent } from '../../accounts/admin-scope/admin-scope.ts';
import type { DayOffRow } from './days-off-repository.ts';
import * as daysOff from './days-off-repository.ts';
import { type DayOffInput, maxDaysOff, maxOwnDays } from './days-off-schemas.ts';
import { listPerson } from './effect-read-model.ts';
import type { Preview } from './effect-service.ts';

export type DaysOffService = ReturnType<typeof createDaysOffService>;

/** Days off of a person, set by themselves, within a number of days a year, or by administrators. Also of earlier days. */
export function createDaysOffService({ store, clock }: { store: Db; clock: Clock }) {
  const today = (): string => clock().toISOString().slice(0, 10);

  const requireScope = async (db: Db, actor: Actor, userId: number): Promise<void> => {
    if (userId !== actor.id) await requireStudent(db, actor, userId);
  };

  async function lockPerson(tx: Tx, actor: Actor, userId: number): Promise<void> {
    if ((await daysOff.lockPerson(tx, userId)) === undefined) throw new NotFoundError('user_not_found');
    await requireScope(tx, actor, userId);
  }

  /** Of another person, for administrators; one's own, if one has set it. */
  async function lock(tx: Tx, actor: Actor, userId: number, id: number): Promise<DayOffRow> {
    await lockPerson(tx, actor, userId);
    const found = await daysOff.find(tx, userId, id);
    if (found === undefined) throw new NotFoundError('days_off_not_found');
    if (actor.role !== 'admin' && userId === actor.id && found.set_by !== actor.id)
      throw new PermissionDeniedError('days_off_not_own');
    return found;
  }

  /** After the write, which is undone if there are too many. */
  async function requireFew(tx: Tx, { user_id, set_by }: DayOffRow): Promise<void> {
    if (set_by !== user_id) return;
    const years = await daysOff.countOwn(tx, user_id, today());
    const full = years.find(({ days }) => days > maxOwnDays);
    if (full === undefined) return;
    const params = { maximum: maxOwnDays, year: String(full.year), days: full.days };
    throw new ValidationError([{ field: 'to', message: { key: 'days_off_used_up', params } }]);
  }

  const rowOf = ({ from, to, reason }: DayOffInput) => ({ first_day: from, last_day: to, reason });

  async function add(tx: Tx, actor: Actor, user_id: number, input: DayOffInput): Promise<DayOffRow> {
    await lockPerson(tx, actor, user_id);
    if ((await daysOff.list(tx, user_id)).length >= maxDaysOff)
      throw new ConflictError('CONFLICT', 'too_many_days_off', { maximum: maxDaysOff });
    const after = await daysOff.insert(tx, { user_id, set_by: actor.id, ...rowOf(input) });
    await requireFew(tx, after);
    tx.record({ type: 'days_off.changed', user_id, before: null, after });
    return after;
  }

  async function change(tx: Tx, actor: Actor, user_id: number, id: number, input: DayOffInput): Promise<DayOffRow> {
    const before = await lock(tx, actor, user_id, id);
    const after = await daysOff.update(tx, { ...before, ...rowOf(input), set_by: actor.id });
    await requireFew(tx, after);
    tx.record({ type: 'days_off.changed', user_id, before, after });
    return after;
  }

  async function remove(tx: Tx, actor: Actor, user_id: number, id: number): Promise<void> {
    const before = await lock(tx, actor, user_id, id);
    await daysOff.remove(tx, id);
    tx.record({ type: 'days_off.changed', user_id, before, after: null });
  }

  return {
    async list(userId: number) {
      const year = Number(today().slice(0, 4));
      const counted = await daysOff.countOwn(store, userId, today());
      const years = counted.some((known) => known.year === year) ? counted : [...counted, { year, days: 0, taken: 0 }];
      return {
        entries: await daysOff.list(store, userId),
        years: years
          .map(({ year, days, taken }) => ({
            year,
            taken,
            planned: days - taken,
            left: Math.max(0, maxOwnDays - days),
          }))
          .sort((a, b) => a.year - b.year),
      };
    },

    async requireEntry(actor: Actor, userId: number, id: number): Promise<void> {
      await requireScope(store, actor, userId);
      if ((await daysOff.find(store, userId, id)) === undefined) throw new NotFoundError('days_off_not_found');
    },

    async require(actor: Actor, userId: number): Promise<void> {
      if (!(await daysOff.exists(store, userId))) throw new NotFoundError('user_not_found');
      await requireScope(store, actor, userId);
    },

    create: (db: Db, actor: Actor, userId: number, input: DayOffInput) =>
      db.transaction(actor.context, (tx) => add(tx, actor, userId, input)),

    update: (actor: Actor, userId: number, id: number, input: DayOffInput) =>
      store.transaction(actor.context, (tx) => change(tx, actor, userId, id, input)),

    delete: (actor: Actor, userId: number, id: number): Promise<void> =>
      store.transaction(actor.context, (tx) => remove(tx, actor, userId, id)),

    /** Without an id, of new days off; without an input, of the deletion. */
    previewOf: (actor: Actor, userId: number, id: number | undefined, input: DayOffInput | undefined): Preview => ({
      check: (tx) => listPerson(tx, userId),
      async apply(tx) {
        if (id === undefined && input !== undefined) await add(tx, actor, userId, input);
        else if (id !== undefined)
          await (input === undefined ? remove(tx, actor, userId, id) : change(tx, actor, userId, id, input));
      },
    }),
  };
}
