import type { Actor } from '../../../actor.ts';
import { OutOfScopeError } from '../../../texts/access-errors.ts';
import { NotFoundError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import { limitOf, requireGroups } from '../../accounts/admin-scope/admin-scope.ts';
import type { NewSchoolDay, SchoolDayRow } from './school-day-repository.ts';
import * as schoolDays from './school-day-repository.ts';

export type OfClass = Partial<Pick<NewSchoolDay, 'group_id'>>;

/** The classes of an entry before and after a change, in order. */
export async function requireClasses(tx: Tx, actor: Actor, id: number | undefined, entry: OfClass | undefined) {
  const known = id === undefined ? undefined : await schoolDays.find(tx, id);
  if (known !== undefined) await requireClass(tx, actor, known.group_id);
  if (entry?.group_id !== undefined) await requireClass(tx, actor, entry.group_id, 'group_id');
  const all = [known?.group_id, entry?.group_id].filter((group) => group !== undefined);
  const ids = [...new Set(all.filter((group) => group !== null))].sort((a, b) => a - b);
  return { ids, isOfSchool: all.includes(null) };
}

/** Limited administrators change only the days of their own classes. */
async function requireClass(db: Db, actor: Actor, group_id: number | null, field?: string): Promise<void> {
  if (group_id !== null) await requireGroups(db, actor, [group_id], field === undefined ? undefined : () => field);
  else if (limitOf(actor) !== undefined) throw new OutOfScopeError(field === undefined ? [] : [field]);
}

/** An entry that the administrator may change. */
export async function requireEntry(db: Db, actor: Actor, id: number): Promise<SchoolDayRow> {
  const found = await schoolDays.find(db, id);
  if (found === undefined) throw new NotFoundError('school_day_not_found');
  await requireClass(db, actor, found.group_id);
  return found;
}
