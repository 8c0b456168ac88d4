import type { Tx } from '../../../transactions/transactions.ts';
import type { Leaving } from './leaving.ts';

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
