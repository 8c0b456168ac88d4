import type { Actor } from '../../../actor.ts';
import { only } from '../../../db/executor.ts';
import { OutOfScopeError } from '../../../texts/access-errors.ts';
import { ConflictError, NotFoundError, ValidationError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { limitOf, requireGroups, scopedFilter } from '../../accounts/admin-scope/admin-scope.ts';
import * as groups from '../../accounts/groups/group-repository.ts';
import { listStudents } from './effect-read-model.ts';
import type { Preview } from './effect-service.ts';
import { keyOfEntry, maxSchoolDays, maxTerms } from './school-day-fields.ts';
import type { NewSchoolDay, SchoolDayFilter } from './school-day-repository.ts';
import * as schoolDays from './school-day-repository.ts';
import type { NewTerm } from './term-repository.ts';
import * as terms from './term-repository.ts';

type OfClass = Pick<NewSchoolDay, 'group_id'>;
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

  async function changeTerm(tx: Tx, id: number, term: NewTerm) {
    const before = await requireTerm(tx, id);
    await requireNoOverlap(tx, term, id);
    const after = await terms.update(tx, { id, ...term });
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
      await requireClass(store, actor, await requireEntry(store, id));
    },

    createTerm: (db: Db, actor: Actor, term: NewTerm) => write(db, actor, (tx) => addTerm(tx, term)),
    updateTerm: (actor: Actor, id: number, term: NewTerm) => write(store, actor, (tx) => changeTerm(tx, id, term)),
    deleteTerm: (actor: Actor, id: number): Promise<void> => write(store, actor, (tx) => removeTerm(tx, id)),

    /** Without an id, of a new term; without a term, of the deletion. Terms are periods: they change no day of a student. */
    previewOfTerm: (id: number | undefined, term: NewTerm | undefined): Preview => ({
      check: async () => [],
      async apply(tx) {
        if (id === undefined && term !== undefined) await addTerm(tx, term);
        else if (id !== undefined) await (term === undefined ? removeTerm(tx, id) : changeTerm(tx, id, term));
      },
    }),

    /** Without an id, of a new entry; without an entry, of the deletion. Writers need not wait for it: it takes no locks of theirs. */
    previewOf: (actor: Actor, id: number | undefined, entry: NewSchoolDay | undefined): Preview => ({
      async check(tx) {
        if (id !== undefined) await requireEntry(tx, id);
        const { ids, isOfSchool } = await requireClasses(tx, actor, id, entry);
        if (typeof entry?.group_id === 'number' && (await groups.find(tx, entry.group_id)) === undefined)
          throw ValidationError.of('group_id', 'group_not_found');
        return listStudents(tx, isOfSchool ? [] : ids);
      },
      async apply(tx) {
        if (id !== undefined && entry !== undefined) await schoolDays.update(tx, { id, ...entry });
        else if (id !== undefined) await schoolDays.remove(tx, id);
        else if (entry !== undefined) await addEntries(tx, [entry]);
      },
    }),

    previewOfEntries: (actor: Actor, group_id: number | null, entries: readonly NewSchoolDay[]): Preview => ({
      async check(tx) {
        await requireClass(tx, actor, { group_id }, 'group_id');
        if (group_id !== null && (await groups.find(tx, group_id)) === undefined)
          throw ValidationError.of('group_id', 'group_not_found');
        return listStudents(tx, group_id === null ? [] : [group_id]);
      },
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

    updateSchoolDay: (actor: Actor, id: number, entry: NewSchoolDay) =>
      writeEntry(store, actor, id, entry, async (tx) => {
        const before = await requireEntry(tx, id);
        const after = await schoolDays.update(tx, { id, ...entry });
        tx.record({ type: 'school_days.changed', changes: [{ before, after }] });
        return after;
      }),

    deleteSchoolDay: (actor: Actor, id: number): Promise<void> =>
      writeEntry(store, actor, id, undefined, async (tx) => {
        const before = await requireEntry(tx, id);
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

/** The classes of an entry before and after a change, in order. */
async function requireClasses(tx: Tx, actor: Actor, id: number | undefined, entry: OfClass | undefined) {
  const known = id === undefined ? undefined : await schoolDays.find(tx, id);
  if (known !== undefined) await requireClass(tx, actor, known);
  if (entry !== undefined) await requireClass(tx, actor, entry, 'group_id');
  const all = [known, entry].flatMap((each) => (each === undefined ? [] : [each.group_id]));
  const ids = [...new Set(all.filter((group) => group !== null))].sort((a, b) => a - b);
  return { ids, isOfSchool: all.includes(null) };
}

/** Limited administrators change only the days of their own classes. */
async function requireClass(db: Db, actor: Actor, { group_id }: OfClass, field?: string): Promise<void> {
  if (group_id !== null) await requireGroups(db, actor, [group_id], field === undefined ? undefined : () => field);
  else if (limitOf(actor) !== undefined) throw new OutOfScopeError(field === undefined ? [] : [field]);
}

async function requireTerm(db: Db, id: number) {
  const found = await terms.find(db, id);
  if (found === undefined) throw new NotFoundError('term_not_found');
  return found;
}

async function requireNoOverlap(tx: Tx, term: NewTerm, except = 0): Promise<void> {
  const other = await terms.findOverlapping(tx, term, except);
  if (other !== undefined) throw ValidationError.of('from', 'term_overlaps', { name: other.name });
}

async function requireEntry(db: Db, id: number) {
  const found = await schoolDays.find(db, id);
  if (found === undefined) throw new NotFoundError('school_day_not_found');
  return found;
}
