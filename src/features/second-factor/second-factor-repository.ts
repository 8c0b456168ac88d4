import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { t } from '../../db/sql/types.ts';

// NIST SP 800-63B allows at most 100 wrong codes in a row; the sign-in limit alone would allow them within a day.
const maxWrongCodes = 100;

const saveSetup = command(
  'save_totp_setup',
  (userId: number, secret: string, expires: Date) => sql`
    INSERT INTO totp_setups (user_id, secret, expires_at)
    SELECT u.id, ${t.text(secret)}, ${t.timestamptz(expires)} FROM users u
    WHERE u.id = ${t.bigint(userId)} AND u.totp_secret IS NULL
    ON CONFLICT ON CONSTRAINT totp_setups_pkey DO UPDATE SET secret = excluded.secret, expires_at = excluded.expires_at`,
);
const findSetup = query(
  'find_totp_setup',
  { secret: t.text },
  (userId: number, now: Date) => sql`
    SELECT secret FROM totp_setups WHERE user_id = ${t.bigint(userId)} AND expires_at > ${t.timestamptz(now)}`,
);
const deleteExpiredSetups = command(
  'delete_expired_totp_setups',
  (now: Date) => sql`DELETE FROM totp_setups WHERE expires_at <= ${t.timestamptz(now)}`,
);

// Only with the setup that the code was checked against, and only once.
const enable = command('enable_totp', (userId: number, sealedSecret: string, step: number, now: Date) => {
  const secret = t.text(sealedSecret);
  return sql`
    UPDATE users u SET totp_secret = ${secret}, totp_last_step = ${t.bigint(step)}, totp_wrong_codes = 0,
      updated_at = greatest(now(), u.updated_at)
    FROM totp_setups s
    WHERE u.id = ${t.bigint(userId)} AND u.totp_secret IS NULL AND u.status = 'active'
      AND s.user_id = u.id AND s.secret = ${secret} AND s.expires_at > ${t.timestamptz(now)}`;
});
const deleteSetup = command(
  'delete_totp_setup',
  (userId: number) => sql`DELETE FROM totp_setups WHERE user_id = ${t.bigint(userId)}`,
);
const insertRecoveryCodes = command(
  'insert_recovery_codes',
  (userId: number, hashes: readonly Buffer[]) => sql`
    INSERT INTO recovery_codes (user_id, code_hash)
    SELECT ${t.bigint(userId)}, decode(h.hex, 'hex')
    FROM unnest(${t.texts(hashes.map((hash) => hash.toString('hex')))}) AS h (hex)`,
);

const findSecret = query(
  'find_totp_secret',
  { totp_secret: t.text },
  (userId: number) => sql`
    SELECT u.totp_secret FROM users u
    WHERE u.id = ${t.bigint(userId)} AND u.status = 'active' AND u.totp_secret IS NOT NULL`,
);

// Each use encrypts the secret again, so that after a key rotation the old key is soon no longer needed.
const useCode = command('use_totp_code', (userId: number, secret: string, atStep: number, resealed: string) => {
  const step = t.bigint(atStep);
  return sql`
    UPDATE users SET totp_last_step = ${step}, totp_secret = ${t.text(resealed)}, totp_wrong_codes = 0
    WHERE id = ${t.bigint(userId)} AND totp_secret = ${t.text(secret)} AND totp_last_step < ${step}
      AND totp_wrong_codes < ${t.integer(maxWrongCodes)}`;
});
// Lock order: the user before the code, as in every other statement here.
const useRecoveryCode = command(
  'use_recovery_code',
  (userId: number, hash: Buffer) => sql`
    WITH owner AS MATERIALIZED (
      SELECT u.id FROM users u WHERE u.id = ${t.bigint(userId)} AND u.totp_secret IS NOT NULL FOR NO KEY UPDATE),
    used AS (
      DELETE FROM recovery_codes r USING owner o WHERE r.user_id = o.id AND r.code_hash = ${t.bytea(hash)}
      RETURNING r.user_id)
    UPDATE users u SET totp_wrong_codes = 0 FROM used WHERE u.id = used.user_id`,
);
const countWrongCode = command(
  'count_wrong_totp_code',
  (userId: number) => sql`UPDATE users SET totp_wrong_codes = totp_wrong_codes + 1 WHERE id = ${t.bigint(userId)}`,
);

const disable = command(
  'disable_totp',
  (userId: number) => sql`
    UPDATE users u SET totp_secret = NULL, totp_last_step = NULL, totp_wrong_codes = 0,
      updated_at = greatest(now(), u.updated_at)
    WHERE u.id = ${t.bigint(userId)} AND u.totp_secret IS NOT NULL`,
);

export function createSecondFactorRepository(db: Executor) {
  return {
    /** Replaces an earlier setup; returns false if the second factor is already enabled. */
    saveSetup: async (userId: number, secret: string, expires: Date) =>
      (await db.execute(saveSetup(userId, secret, expires))) > 0,
    findSetup: async (userId: number, now: Date) => (await db.maybeOne(findSetup(userId, now)))?.secret,
    deleteExpiredSetups: (now: Date) => db.execute(deleteExpiredSetups(now)),
    /** Returns false if the setup was deleted or replaced, or another request has enabled it. */
    async enable(userId: number, secret: string, step: number, codeHashes: readonly Buffer[], now: Date) {
      if ((await db.execute(enable(userId, secret, step, now))) === 0) return false;
      await db.execute(deleteSetup(userId));
      await db.execute(insertRecoveryCodes(userId, codeHashes));
      return true;
    },
    findSecret: async (userId: number) => (await db.maybeOne(findSecret(userId)))?.totp_secret,
    /** Accepts the code of a time step once. `secret` is the stored one that was checked; `resealed` replaces it. */
    useCode: async (userId: number, secret: string, step: number, resealed: string) =>
      (await db.execute(useCode(userId, secret, step, resealed))) > 0,
    useRecoveryCode: async (userId: number, hash: Buffer) => (await db.execute(useRecoveryCode(userId, hash))) > 0,
    countWrongCode: (userId: number) => db.execute(countWrongCode(userId)),
    disable: async (userId: number) => (await db.execute(disable(userId))) > 0,
  };
}
