import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { NotFoundError, PreconditionFailedError } from '../../../texts/errors.ts';
import type { Db } from '../../../transactions/transactions.ts';
import { lockStudent, requireStudent } from '../../accounts/admin-scope/admin-scope.ts';
import type { NoteRow } from './note-repository.ts';
import * as notes from './note-repository.ts';

/** The version of a note that does not exist: of two teachers who write the first one at once, one gets a conflict, too. */
export const absentVersion = 0;

export type NoteService = ReturnType<typeof createNoteService>;

/** One text about a student, which teachers share and the student does not see. */
export function createNoteService({ store, clock }: { store: Db; clock: Clock }) {
  async function requireSubject(actor: Actor, userId: number): Promise<void> {
    if ((await notes.findStudent(store, userId)) === undefined) throw new NotFoundError('user_not_found');
    await requireStudent(store, actor, userId);
  }

  return {
    requireSubject,

    async find(actor: Actor, userId: number): Promise<NoteRow | undefined> {
      await requireSubject(actor, userId);
      return notes.find(store, userId);
    },

    /** Without a text, the note is removed. */
    save(
      actor: Actor,
      userId: number,
      text: string,
      expectedVersion: number | undefined,
    ): Promise<NoteRow | undefined> {
      return store.transaction(actor.context, async (tx) => {
        if ((await notes.lockStudent(tx, userId)) === undefined) throw new NotFoundError('user_not_found');
        await lockStudent(tx, actor, userId);
        const before = await notes.find(tx, userId);
        if (expectedVersion !== undefined && expectedVersion !== (before?.row_version ?? absentVersion))
          throw new PreconditionFailedError();
        if (text === (before?.text ?? '')) return before;
        tx.record({ type: 'student_note.changed', user_id: userId });
        if (text !== '') return notes.save(tx, userId, text, actor.id, clock());
        await notes.remove(tx, userId);
        return undefined;
      });
    },
  };
}
