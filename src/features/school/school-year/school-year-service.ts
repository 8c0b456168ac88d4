import type { Actor } from '../../../actor.ts';
import { only } from '../../../db/executor.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { scopedFilter } from '../../accounts/admin-scope/admin-scope.ts';
import * as groups from '../../accounts/groups/group-repository.ts';
import { listStudents } from './effect-read-model.ts';
import type { Preview } from './effect-service.ts';
import { type OfClass, requireClasses, requireEntry } from './school-day-access.ts';
import { keyOfEntry, maxSchoolDays, maxTerms, withChanges } from './school-day-fields.ts';
import type { NewSchoolDay, SchoolDayFilter } from './school-day-repository.ts';
import * as schoolDays from './school-day-repository.ts';
import type { NewTerm } from './term-repository.ts';
import * as terms from './term-repository.ts';

type TermChanges = Partial<NewTerm>;
type SchoolDayChanges = Partial<NewSchoolDay>;
export type SchoolYearService = ReturnType<typeof createSchoolYearService>;

/** Terms, and the days of the school and its classes that are off or made up. Writers wait for each other. */
export function createSchoolYearService({ store, weekdays }: { store: Db; weekdays: readonly number[] }) {
  type Write<Result> = (tx: Tx) => Promise<Result>;
  const write = <Result>(db: Db, actor: Actor, work: Write<Result>): Promise<Result> =>
    db.transaction(actor.context, async (tx) => {
      await schoolDays.lock(tx);
      return work(tx);
    });

  /**
   * Also locks the classes of the entry, before and after, as the deletion of a class does: first the class. Throws OutOfScopeError
   * unless a limited administrator has them.
   */
  const writeEntry = <Result>(
    db: Db,
    actor: Actor,
    id: number | undefined,
    entry: OfClass | undefined,
    work: Write<Result>,
  ) =>
    db.transaction(actor.context, async (tx) => {
      const { ids } = await requireClasses(tx, actor, id, entry);
      for (const group of ids)
        if ((await groups.lock(tx, group)) === undefined && group === entry?.group_id)
          throw ValidationError.of('group_id', 'group_not_found');
      await schoolDays.lock(tx);
      return work(tx);
    });

  async function readTerm(tx: Tx, id: number) {
    const found = (await terms.list(tx, weekdays)).find((term) => term.id === id);
    if (found === undefined) throw new NotFoundError('term_not_found');
    return found;
  }

  async function addTerm(tx: Tx, term: NewTerm) {
    if ((await terms.list(tx, weekdays)).length >= maxTerms)
      throw new ConflictError('CONFLICT', 'too_many_terms', { maximum: maxTerms });
    await requireNoOverlap(tx, term);
    const after = await terms.insert(tx, term);
    tx.record({ type: 'term.changed', before: null, after });
    return readTerm(tx, after.id);
  }

  async function changeTerm(tx: Tx, id: number, changes: TermChanges) {
    const before = await requireTerm(tx, id);
    const changed = withChanges(before, changes);
    await requireNoOverlap(tx, changed, id);
    const after = await terms.update(tx, changed);
    tx.record({ type: 'term.changed', before, after });
    return readTerm(tx, id);
  }

  async function removeTerm(tx: Tx, id: number): Promise<void> {
    const before = await requireTerm(tx, id);
    await terms.remove(tx, id);
    tx.record({ type: 'term.changed', before, after: null });
  }

  return {
    listTerms: () => terms.list(store, weekdays),
    requireTerm: (id: number) => requireTerm(store, id),
    async requireSchoolDay(actor: Actor, id: number): Promise<void> {
      await requireEntry(store, actor, id);
    },

    createTerm: (db: Db, actor: Actor, term: NewTerm) => write(db, actor, (tx) => addTerm(tx, term)),
    updateTerm: (actor: Actor, id: number, changes: TermChanges) =>
      write(store, actor, (tx) => changeTerm(tx, id, changes)),
    deleteTerm: (actor: Actor, id: number): Promise<void> => write(store, actor, (tx) => removeTerm(tx, id)),

    /** Terms are periods: they change no day of a student. */
    previewOfTerm: {
      created: (term: NewTerm): Preview => ofTerm((tx) => addTerm(tx, term)),
      updated: (id: number, changes: TermChanges): Preview => ofTerm((tx) => changeTerm(tx, id, changes)),
      deleted: (id: number): Preview => ofTerm((tx) => removeTerm(tx, id)),
    },

    /** Writers need not wait for it: it takes no locks of theirs. */
    previewOf: {
      created: (actor: Actor, entry: NewSchoolDay): Preview => ({
        check: (tx) => listTheirStudents(tx, actor, undefined, entry),
        apply: (tx) => addEntries(tx, [entry]),
      }),
      updated: (actor: Actor, id: number, changes: SchoolDayChanges): Preview => ({
        check: (tx) => listTheirStudents(tx, actor, id, changes),
        apply: async (tx) => schoolDays.update(tx, withChanges(await requireEntry(tx, actor, id), changes)),
      }),
      deleted: (actor: Actor, id: number): Preview => ({
        check: (tx) => listTheirStudents(tx, actor, id, undefined),
        apply: (tx) => schoolDays.remove(tx, id),
      }),
    },

    previewOfEntries: (actor: Actor, group_id: number | null, entries: readonly NewSchoolDay[]): Preview => ({
      check: (tx) => listTheirStudents(tx, actor, undefined, { group_id }),
      apply: (tx) => addEntries(tx, entries),
    }),

    /** Of one class, or of the whole school; without those that have been added in the meantime. */
    createSchoolDays: (actor: Actor, group_id: number | null, entries: readonly NewSchoolDay[]) =>
      writeEntry(store, actor, undefined, { group_id }, async (tx) => {
        const known = new Set((await schoolDays.list(tx, {})).map(keyOfEntry));
        return addEntries(
          tx,
          entries.filter((entry) => !known.has(keyOfEntry(entry))),
        );
      }),

    listSchoolDays: async (actor: Actor, filter: SchoolDayFilter) =>
      schoolDays.list(store, await scopedFilter(store, actor, filter)),

    createSchoolDay: (db: Db, actor: Actor, entry: NewSchoolDay) =>
      writeEntry(db, actor, undefined, entry, async (tx) => only(await addEntries(tx, [entry]))),

    updateSchoolDay: (actor: Actor, id: number, changes: SchoolDayChanges) =>
      writeEntry(store, actor, id, changes, async (tx) => {
        const before = await requireEntry(tx, actor, id);
        const after = await schoolDays.update(tx, withChanges(before, changes));
        tx.record({ type: 'school_days.changed', changes: [{ before, after }] });
        return after;
      }),

    deleteSchoolDay: (actor: Actor, id: number): Promise<void> =>
      writeEntry(store, actor, id, undefined, async (tx) => {
        const before = await requireEntry(tx, actor, id);
        await schoolDays.remove(tx, id);
        tx.record({ type: 'school_days.changed', changes: [{ before, after: null }] });
      }),
  };
}

async function addEntries(tx: Tx, entries: readonly NewSchoolDay[]) {
  if ((await schoolDays.count(tx)) + entries.length > maxSchoolDays)
    throw new ConflictError('CONFLICT', 'too_many_school_days', { maximum: maxSchoolDays });
  const added = await schoolDays.insert(tx, entries);
  if (added.length > 0)
    tx.record({ type: 'school_days.changed', changes: added.map((after) => ({ before: null, after })) });
  return added;
}

/** Those whose days an entry changes. */
async function listTheirStudents(tx: Tx, actor: Actor, id: number | undefined, entry: OfClass | undefined) {
  if (id !== undefined) await requireEntry(tx, actor, id);
  const { ids, isOfSchool } = await requireClasses(tx, actor, id, entry);
  if (typeof entry?.group_id === 'number' && (await groups.find(tx, entry.group_id)) === undefined)
    throw ValidationError.of('group_id', 'group_not_found');
  return listStudents(tx, isOfSchool ? [] : ids);
}

const ofTerm = (apply: Preview['apply']): Preview => ({ check: async () => [], apply });

async function requireTerm(db: Db, id: number) {
  const found = await terms.find(db, id);
  if (found === undefined) throw new NotFoundError('term_not_found');
  return found;
}

async function requireNoOverlap(tx: Tx, term: NewTerm, except = 0): Promise<void> {
  const other = await terms.findOverlapping(tx, term, except);
  if (other !== undefined) throw ValidationError.of('from', 'term_overlaps', { name: other.name });
}
