import type { Tx } from '../../../transactions/transactions.ts';

type EndedRights = { isDeactivated: boolean; isDemoted: boolean };

/** What ends together with the rights of a user, implemented by the areas that know it. They run in the order in which rows are locked. */
export type Leaving = {
  /** For a user who is deactivated, or no longer an administrator. */
  endAccess(tx: Tx, id: number, ended: EndedRights): Promise<void>;
  /** Before the account is deleted. Returns other users whose lists change. */
  erase(tx: Tx, id: number): Promise<readonly number[]>;
};

/** Each one after the other. */
export function inOrder(parts: readonly Leaving[]): Leaving {
  return {
    async endAccess(tx, id, ended) {
      for (const part of parts) await part.endAccess(tx, id, ended);
    },
    async erase(tx, id) {
      const others: number[] = [];
      for (const part of parts) others.push(...(await part.erase(tx, id)));
      return others;
    },
  };
}
