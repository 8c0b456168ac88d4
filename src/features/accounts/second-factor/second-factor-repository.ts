import type { Executor } from '../../../db/database.ts';
import { sql, t } from '../../../db/sql/sql.ts';
import { changes, execute } from '../../../db/statements.ts';

// NIST SP 800-63B allows at most 100 wrong codes in a row; the sign-in limit alone would allow them within a day.
const maxWrongCodes = 100;

/** Replaces an earlier setup; returns false if the second factor is already enabled. */
export const saveSetup = changes(
  'save_totp_setup',
  (userId: number, secret: string, expires: Date) => sql`
    INSERT INTO totp_setups (user_id, secret, expires_at)
    SELECT u.id, ${t.text(secret)}, ${t.timestamptz(expires)} FROM users u
    WHERE u.id = ${t.bigint(userId)} AND u.totp_secret IS NULL
    ON CONFLICT ON CONSTRAINT totp_setups_pkey DO UPDATE SET secret = excluded.secret, expires_at = excluded.expires_at`,
);

// Only with the setup that the code was checked against, and only once.
const enableStatement = execute('enable_totp', (userId: number, encryptedSecret: string, step: number, now: Date) => {
  const secret = t.text(encryptedSecret);
  return sql`
    UPDATE users u SET totp_secret = ${secret}, totp_last_step = ${t.bigint(step)}, totp_wrong_codes = 0,
      updated_at = greatest(now(), u.updated_at)
    FROM totp_setups s
    WHERE u.id = ${t.bigint(userId)} AND u.totp_secret IS NULL AND u.status = 'active'
      AND s.user_id = u.id AND s.secret = ${secret} AND s.expires_at > ${t.timestamptz(now)}`;
});

// Lock order: the user before the code, as in every other statement here.
export const useRecoveryCode = changes(
  'use_recovery_code',
  (userId: number, hash: Buffer) => sql`
    WITH owner AS MATERIALIZED (
      SELECT u.id FROM users u WHERE u.id = ${t.bigint(userId)} AND u.totp_secret IS NOT NULL FOR NO KEY UPDATE),
    used AS (
      DELETE FROM recovery_codes r USING owner o WHERE r.user_id = o.id AND r.code_hash = ${t.bytea(hash)}
      RETURNING r.user_id)
    UPDATE users u SET totp_wrong_codes = 0 FROM used WHERE u.id = used.user_id`,
);

const disableStatement = execute(
  'disable_totp',
  (userId: number) => sql`
    UPDATE users u SET totp_secret = NULL, totp_last_step = NULL, totp_wrong_codes = 0,
      updated_at = greatest(now(), u.updated_at)
    WHERE u.id = ${t.bigint(userId)} AND u.totp_secret IS NOT NULL`,
);

/** Without a second factor, there are neither recovery codes nor a pending setup. */
export const deleteCodes = execute('delete_second_factor_codes', (id: number) => {
  const userId = t.bigint(id);
  return sql`
    WITH codes AS (DELETE FROM recovery_codes WHERE user_id = ${userId})
    DELETE FROM totp_setups WHERE user_id = ${userId}`;
});
export async function findSetup(db: Executor, user_id: number, now: Date): Promise<string | undefined> {
  const setup = db.table('totp_setups', 'find_totp_setup').where({ user_id }).where('expires_at', '>', now);
  return (await setup.first('secret'))?.secret;
}
export const deleteExpiredSetups = async (db: Executor, now: Date) =>
  db.table('totp_setups', 'delete_expired_totp_setups').where('expires_at', '<=', now).delete();
/** Returns false if the setup was deleted or replaced, or another request has enabled it. */
export async function enable(
  db: Executor,
  user_id: number,
  secret: string,
  step: number,
  codeHashes: readonly Buffer[],
  now: Date,
) {
  if ((await enableStatement(db, user_id, secret, step, now)) === 0) return false;
  await db.table('totp_setups', 'delete_totp_setup').where({ user_id }).delete();
  await db.table('recovery_codes').insert(codeHashes.map((code_hash) => ({ user_id, code_hash })));
  return true;
}
export async function findSecret(db: Executor, id: number): Promise<string | undefined> {
  const account = db.table('users', 'find_totp_secret').where({ id, status: 'active' });
  return (await account.first('totp_secret'))?.totp_secret ?? undefined;
}
/** Accepts the code of a time step once. `secret` is the stored one that was checked; `reencrypted` replaces it. */
export const useCode = async (db: Executor, id: number, secret: string, step: number, reencrypted: string) =>
  (await db
    .table('users', 'use_totp_code')
    .where({ id, totp_secret: secret })
    .where('totp_last_step', '<', step)
    .where('totp_wrong_codes', '<', maxWrongCodes)
    // Encrypted again with the current key, so that a replaced key is soon no longer needed.
    .update({ totp_last_step: step, totp_secret: reencrypted, totp_wrong_codes: 0 })) > 0;
export const countWrongCode = async (db: Executor, id: number) =>
  db.table('users', 'count_wrong_totp_code').where({ id }).increment('totp_wrong_codes');
export async function disable(db: Executor, userId: number): Promise<boolean> {
  if ((await disableStatement(db, userId)) === 0) return false;
  await deleteCodes(db, userId);
  return true;
}
