import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { PermissionDeniedError } from '../../../texts/access-errors.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { lockStudent, requireStudent } from '../../accounts/admin-scope/admin-scope.ts';
import type { DayOffRow } from './days-off-repository.ts';
import * as daysOff from './days-off-repository.ts';
import { type DayOffChanges, type DayOffInput, maxDaysOff, maxOwnDays } from './days-off-schemas.ts';
import { listPerson } from './effect-read-model.ts';
import type { Preview } from './effect-service.ts';
import { withChanges } from './school-day-fields.ts';
import { toChanges } from './school-year-schemas.ts';

type YearOfDays = { year: number; days: number };

export type DaysOffService = ReturnType<typeof createDaysOffService>;

/** Days off of a person, set by themselves, within a number of days a year, or by administrators. Also of earlier days. */
export function createDaysOffService({ store, clock }: { store: Db; clock: Clock }) {
  const today = (): string => clock().toISOString().slice(0, 10);

  const requireScope = async (db: Db, actor: Actor, userId: number): Promise<void> => {
    if (userId !== actor.id) await requireStudent(db, actor, userId);
  };

  async function lockPerson(tx: Tx, actor: Actor, userId: number): Promise<void> {
    if ((await daysOff.lockPerson(tx, userId)) === undefined) throw new NotFoundError('user_not_found');
    if (userId !== actor.id) await lockStudent(tx, actor, userId);
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

  const countOwn = (tx: Tx, actor: Actor, userId: number): Promise<readonly YearOfDays[]> =>
    actor.id === userId ? daysOff.countOwn(tx, userId, today()) : Promise.resolve([]);

  /**
   * After the write, which is undone if it has added days to a year that then has too many. A year may have too many without it,
   * when days of the school are no longer off.
   */
  async function requireFew(tx: Tx, actor: Actor, userId: number, before: readonly YearOfDays[]): Promise<void> {
    const daysBefore = (of: number) => before.find(({ year }) => year === of)?.days ?? 0;
    const years = await countOwn(tx, actor, userId);
    const full = years.find(({ year, days }) => days > maxOwnDays && days > daysBefore(year));
    if (full === undefined) return;
    const params = { maximum: maxOwnDays, year: String(full.year), days: full.days };
    throw new ValidationError([{ field: 'to', message: { key: 'days_off_used_up', params } }]);
  }

  async function add(tx: Tx, actor: Actor, user_id: number, input: DayOffInput): Promise<DayOffRow> {
    await lockPerson(tx, actor, user_id);
    if ((await daysOff.list(tx, user_id)).length >= maxDaysOff)
      throw new ConflictError('CONFLICT', 'too_many_days_off', { maximum: maxDaysOff });
    const before = await countOwn(tx, actor, user_id);
    const { from: first_day, to: last_day, reason } = input;
    const after = await daysOff.insert(tx, { user_id, set_by: actor.id, first_day, last_day, reason });
    await requireFew(tx, actor, user_id, before);
    tx.record({ type: 'days_off.changed', user_id, before: null, after });
    return after;
  }

  async function change(tx: Tx, actor: Actor, user_id: number, id: number, changes: DayOffChanges): Promise<DayOffRow> {
    const before = await lock(tx, actor, user_id, id);
    const daysBefore = await countOwn(tx, actor, user_id);
    const after = await daysOff.update(tx, withChanges(before, { ...toChanges(changes), set_by: actor.id }));
    await requireFew(tx, actor, user_id, daysBefore);
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

    update: (actor: Actor, userId: number, id: number, changes: DayOffChanges) =>
      store.transaction(actor.context, (tx) => change(tx, actor, userId, id, changes)),

    delete: (actor: Actor, userId: number, id: number): Promise<void> =>
      store.transaction(actor.context, (tx) => remove(tx, actor, userId, id)),

    previewOf: {
      created: (actor: Actor, userId: number, input: DayOffInput): Preview =>
        previewOf(userId, (tx) => add(tx, actor, userId, input)),
      updated: (actor: Actor, userId: number, id: number, changes: DayOffChanges): Preview =>
        previewOf(userId, (tx) => change(tx, actor, userId, id, changes)),
      deleted: (actor: Actor, userId: number, id: number): Preview =>
        previewOf(userId, (tx) => remove(tx, actor, userId, id)),
    },
  };
}

const previewOf = (userId: number, apply: Preview['apply']): Preview => ({
  check: (tx) => listPerson(tx, userId),
  apply,
});
