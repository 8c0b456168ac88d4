/**
 * Who writes in a transaction, through which operation and request. The transaction verifies that they still have the
 * rights of their request; the audit log attributes administrators' changes to it.
 */
export type AuditContext = {
  actor_id: number;
  sign_in_id: string;
  role: 'admin' | 'user';
  action: string;
  request_id: string;
  /** Users whose rights the transaction changes: their own transactions commit before it or see it. */
  changes?: readonly number[];
};

export function changingRights(
  context: AuditContext | undefined,
  userIds: readonly number[],
): AuditContext | undefined {
  return context && { ...context, changes: userIds };
}
