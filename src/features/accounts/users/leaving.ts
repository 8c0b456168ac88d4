import type { Tx } from '../../../transactions/transactions.ts';

/** The request that a new account or password answers, its required subject, and the administrator. */
type Resolution = {
  id: number;
  subject: 'account_registration' | 'password_reset';
  user_id: number;
  handled_by: number;
};

export type AccountHooks = {
  leaving: Leaving;
  /** Resolves a contact request in the transaction that fulfils it. Throws NotFoundError, ConflictError. */
  resolveContactRequest: (tx: Tx, resolution: Resolution) => Promise<void>;
  /** Computes the awards of a user again, whose days are counted in another way. */
  recomputeAwards: (tx: Tx, userId: number) => Promise<void>;
};

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
