import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { maxComputed } from '../progress/progress-schemas.ts';
import { type Effect, effectOf, newDaysOff } from './effect.ts';
import { readSecondsOn, readStandingsOfDays, type StandingRow, type Student } from './effect-read-model.ts';

/** Students per statement. */
const batchSize = 200;

export type Preview = {
  /** Checks the change, as the change itself does, and returns the students whose days it changes. */
  check: (tx: Tx) => Promise<readonly Student[]>;
  apply: (tx: Tx) => Promise<unknown>;
};

type Computed = { effect: Omit<Effect, 'seconds'>; daysOff: ReturnType<typeof newDaysOff> };

/** The result of a transaction that is rolled back. */
class Undone extends Error {
  readonly computed: Computed;
  constructor(computed: Computed) {
    super('a preview is rolled back');
    this.computed = computed;
  }
}

export type EffectService = ReturnType<typeof createEffectService>;

/** What a change of days would do: the change is made, its figures are read, and it is rolled back. */
export function createEffectService({ store, clock }: { store: Db; clock: Clock }) {
  async function read(tx: Tx, students: readonly Student[], now: Date): Promise<Map<number, StandingRow>> {
    const standings = new Map<number, StandingRow>();
    for (let at = 0; at < students.length; at += batchSize)
      for (const row of await readStandingsOfDays(tx, students.slice(at, at + batchSize), now))
        standings.set(row.user_id, row);
    return standings;
  }

  async function readSeconds(students: Computed['daysOff'], now: Date): Promise<number> {
    let sum = 0;
    for (let at = 0; at < students.length; at += batchSize)
      sum += (await readSecondsOn(store, students.slice(at, at + batchSize), now)).seconds;
    return sum;
  }

  /** Undefined if there are more students than it computes. */
  async function previewIfFew(actor: Actor, { check, apply }: Preview): Promise<Effect | undefined> {
    const now = clock();
    try {
      return await store.transaction(actor.context, async (tx) => {
        const students = await check(tx);
        if (students.length > maxComputed) return undefined;
        const before = await read(tx, students, now);
        await apply(tx);
        const after = await read(tx, students, now);
        throw new Undone({
          effect: effectOf(students, before, after),
          daysOff: newDaysOff(students, before, after),
        });
      });
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
      const { effect, daysOff } = error.computed;
      return { ...effect, seconds: await readSeconds(daysOff, now) }; // without the locks of the change
    }
  }

  return {
    previewIfFew,

    async preview(actor: Actor, preview: Preview): Promise<Effect> {
      const found = await previewIfFew(actor, preview);
      if (found === undefined) throw ValidationError.of('dry_run', 'too_many_to_compute', { maximum: maxComputed });
      return found;
    },
  };
}
