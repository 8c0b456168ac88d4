import { roles, userStatuses } from '../../../actor.ts';
import type { Executor } from '../../../db/database.ts';
import { foldedName } from '../../../db/sql/search.ts';
import { sql, t } from '../../../db/sql/sql.ts';
import { execute, maybeOne, maybeValue } from '../../../db/statements.ts';
import type { Identity } from './identity-provider.ts';

type Key = Pick<Identity, 'issuer' | 'subject'>;

const attemptColumns = {
  nonce: t.text,
  code_verifier: t.text,
  identity: t.json<Identity>().orNull,
  expires_at: t.timestamptz,
};
type NewAttempt = { nonce: string; code_verifier: string; identity: Identity | null; expires_at: Date };
export const insertAttempt = execute(
  'insert_sso_attempt',
  (stateHash: Buffer, { nonce, code_verifier, identity, expires_at }: NewAttempt) => sql`
    INSERT INTO sso_attempts (state_hash, nonce, code_verifier, identity, expires_at)
    VALUES (${t.bytea(stateHash)}, ${t.text(nonce)}, ${t.text(code_verifier)},
      ${t.jsonb(identity && JSON.stringify(identity))}, ${t.timestamptz(expires_at)})`,
);
/** Deletes the attempt: a state is accepted once. */
export const takeAttempt = maybeOne(
  'take_sso_attempt',
  attemptColumns,
  (stateHash: Buffer, now: Date) => sql`
    DELETE FROM sso_attempts WHERE state_hash = ${t.bytea(stateHash)} AND expires_at > ${t.timestamptz(now)}
    RETURNING nonce, code_verifier, identity, expires_at`,
);

const accountColumns = {
  id: t.bigint,
  role: t.oneOf(roles),
  status: t.oneOf(userStatuses),
  has_one_time_password: t.boolean,
  /** Those of an earlier claim. */
  group_ids: t.bigints,
};
const account = sql`u.id, u.role, u.status, u.password_expires_at IS NOT NULL AS has_one_time_password`;
export const findLinked = maybeOne(
  'find_account_of_identity',
  accountColumns,
  ({ issuer, subject }: Key) => sql`
    SELECT ${account}, i.group_ids FROM sso_identities i JOIN users u ON u.id = i.user_id
    WHERE i.issuer = ${t.text(issuer)} AND i.subject = ${t.text(subject)}`,
);
export const findByEmail = maybeOne(
  'find_account_to_link',
  { ...accountColumns, is_linked: t.boolean },
  (email: string, issuer: string) => sql`
    SELECT ${account}, '{}'::bigint[] AS group_ids,
      EXISTS (SELECT FROM sso_identities i WHERE i.user_id = u.id AND i.issuer = ${t.text(issuer)}) AS is_linked
    FROM users u WHERE lower(u.email) = ${foldedName(email)} AND u.deleted_at IS NULL`,
);
/** First sign-ins wait for each other, so that no identity is linked twice, and no account to two of them. */
export const lockLinking = execute('lock_sso_linking', () => sql`SELECT pg_advisory_xact_lock(7246109)`);

export const findFreeName = maybeValue(
  'find_free_username',
  { username: t.text },
  (wanted: string) => sql`
    SELECT n.username FROM (
      SELECT CASE WHEN k = 1 THEN ${t.text(wanted)} ELSE left(${t.text(wanted)}, 26) || '-' || k END AS username, k
      FROM generate_series(1, 1000) AS k) n
    WHERE NOT EXISTS (SELECT FROM users u WHERE lower(u.username) = lower(n.username))
    ORDER BY n.k LIMIT 1`,
);

export const deleteExpiredAttempts = async (db: Executor, now: Date) =>
  db.table('sso_attempts', 'delete_expired_sso_attempts').where('expires_at', '<=', now).delete();
export const link = async (db: Executor, { issuer, subject }: Key, user_id: number, linked_at: Date) =>
  db.table('sso_identities', 'insert_sso_identity').insert({ issuer, subject, user_id, linked_at });
export const setGroups = async (db: Executor, { issuer, subject }: Key, group_ids: readonly number[]) =>
  db
    .table('sso_identities', 'set_groups_of_identity')
    .where({ issuer, subject })
    .update({ group_ids: [...group_ids] });
export const unlink = async (db: Executor, user_id: number) =>
  db.table('sso_identities', 'delete_sso_identities').where({ user_id }).delete();
