import type { Actor } from '../../../actor.ts';
import { NotFoundError } from '../../../texts/errors.ts';
import type { Db, Tx } from '../../../transactions/transactions.ts';
import * as tags from './tag-repository.ts';

export type TagService = ReturnType<typeof createTagService>;

/** The tags of an author. A change of a tag changes all records that have it, in the same transaction. */
export function createTagService({ store }: { store: Db }) {
  async function find(userId: number, name: string) {
    const found = await tags.find(store, userId, name);
    if (found === undefined) throw new NotFoundError('tag_not_found');
    return found;
  }

  async function lock(tx: Tx, userId: number, name: string): Promise<string> {
    await tags.lockAuthor(tx, userId);
    const found = await tags.lock(tx, userId, name);
    if (found === undefined) throw new NotFoundError('tag_not_found');
    return found;
  }

  return {
    list: (userId: number) => tags.list(store, userId),

    get: find,

    /** Onto another tag: merges both. */
    async rename(actor: Actor, name: string, wanted: string) {
      const kept = await store.transaction(actor.context, async (tx) => {
        const found = await lock(tx, actor.id, name);
        const other = await tags.lock(tx, actor.id, wanted);
        const isMerged = other !== undefined && other !== found;
        const newName = isMerged ? other : wanted;
        if (newName === found) return found;
        if (isMerged) await tags.remove(tx, actor.id, found);
        else await tags.rename(tx, actor.id, found, newName);
        const owner_ids = await tags.retag(tx, actor.id, found, newName);
        tx.record({ type: 'tag.changed', user_id: actor.id, owner_ids });
        return newName;
      });
      return find(actor.id, kept);
    },

    delete: (actor: Actor, name: string): Promise<void> =>
      store.transaction(actor.context, async (tx) => {
        const found = await lock(tx, actor.id, name);
        await tags.remove(tx, actor.id, found);
        const owner_ids = await tags.retag(tx, actor.id, found, null);
        tx.record({ type: 'tag.changed', user_id: actor.id, owner_ids });
      }),
  };
}
