import type { Origin } from '../../../lib/log/security-log.ts';
import type { Tx } from '../../../transactions/transactions.ts';

/** What the provider gives to an account or takes from it is in the audit log, as an act of the account. */
export function audited(tx: Tx, actor_id: number, { request_id }: Origin): Tx {
  const by = {
    actor_id,
    request_id,
    sign_in_id: '',
    role: 'user',
    action: 'finishSingleSignOn',
    audited: true,
  } as const;
  const withActor = (inner: Tx): Tx => ({
    ...inner,
    record: (...events) => inner.record(...events.map((event) => ({ ...event, by }))),
    transaction: (context, work) => inner.transaction(context, (joined) => work(withActor(joined))),
  });
  return withActor(tx);
}
