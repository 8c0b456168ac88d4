import { type Executor, sql } from '../../db/database.ts';

export type SecondFactor = { totp_secret: string };

// NIST SP 800-63B allows at most 100 wrong codes in a row; the limit of failed sign-ins alone would allow them in a day.
const mostWrongCodes = 100;

const saveSetup = sql(`
  INSERT INTO totp_setups (user_id, secret, expires_at)
  SELECT u.id, $2, $3 FROM users u WHERE u.id = $1 AND u.totp_secret IS NULL
  ON CONFLICT ON CONSTRAINT totp_setups_pkey DO UPDATE SET secret = excluded.secret, expires_at = excluded.expires_at
  RETURNING user_id`);
const findSetup = sql('SELECT secret FROM totp_setups WHERE user_id = $1 AND expires_at > $2');
const deleteExpiredSetups = sql('DELETE FROM totp_setups WHERE expires_at <= $1');

// Only with the setup that the code was checked against, and only once.
const enable = sql(`
  UPDATE users u SET totp_secret = $2, totp_last_step = $3, totp_wrong_codes = 0, updated_at = greatest(now(), u.updated_at)
  FROM totp_setups s
  WHERE u.id = $1 AND u.totp_secret IS NULL AND u.status = 'active' AND s.user_id = u.id AND s.secret = $2 AND s.expires_at > $4
  RETURNING u.id`);
const deleteSetup = sql('DELETE FROM totp_setups WHERE user_id = $1');
const insertRecoveryCodes = sql(`
  INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, decode(h.hex, 'hex') FROM unnest($2::text[]) AS h (hex)`);

const findFactor = sql(`
  SELECT u.totp_secret FROM users u WHERE u.id = $1 AND u.status = 'active' AND u.totp_secret IS NOT NULL`);

// The secret is encrypted anew with each use: after a rotation of the keys the old one is soon needed no more.
const useCode = sql(`
  UPDATE users SET totp_last_step = $3, totp_secret = $4, totp_wrong_codes = 0
  WHERE id = $1 AND totp_secret = $2 AND totp_last_step < $3 AND totp_wrong_codes < ${mostWrongCodes} RETURNING id`);
// The user is locked before the code, as by every other statement here.
const useRecoveryCode = sql(`
  WITH owner AS MATERIALIZED (
    SELECT u.id FROM users u WHERE u.id = $1 AND u.totp_secret IS NOT NULL FOR NO KEY UPDATE),
  used AS (
    DELETE FROM recovery_codes r USING owner o WHERE r.user_id = o.id AND r.code_hash = $2 RETURNING r.user_id)
  UPDATE users u SET totp_wrong_codes = 0 FROM used WHERE u.id = used.user_id RETURNING u.id`);
const countWrongCode = sql('UPDATE users SET totp_wrong_codes = totp_wrong_codes + 1 WHERE id = $1');

const disable = sql(`
  UPDATE users u SET totp_secret = NULL, totp_last_step = NULL, totp_wrong_codes = 0,
    updated_at = greatest(now(), u.updated_at)
  WHERE u.id = $1 AND u.totp_secret IS NOT NULL RETURNING u.id`);

export function createSecondFactorRepository(db: Executor) {
  const applies = async (...call: Parameters<Executor['rows']>) => (await db.rows(...call)).length > 0;

  return {
    /** Replaces an earlier setup; false when the second factor is enabled already. */
    saveSetup: (userId: number, secret: string, expires: Date) => applies(saveSetup, [userId, secret, expires]),
    async findSetup(userId: number, now: Date): Promise<string | undefined> {
      const [row] = await db.rows<{ secret: string }>(findSetup, [userId, now]);
      return row?.secret;
    },
    async deleteExpiredSetups(now: Date): Promise<void> {
      await db.rows(deleteExpiredSetups, [now]);
    },
    /** False when the setup is gone or was replaced, or another request has enabled it. */
    async enable(userId: number, secret: string, step: number, codeHashes: readonly Buffer[], now: Date) {
      if (!(await applies(enable, [userId, secret, step, now]))) return false;
      await db.rows(deleteSetup, [userId]);
      await db.rows(insertRecoveryCodes, [userId, codeHashes.map((hash) => hash.toString('hex'))]);
      return true;
    },
    /** The encrypted secret of an active account with a second factor. */
    async findSecret(userId: number): Promise<string | undefined> {
      const [row] = await db.rows<SecondFactor>(findFactor, [userId]);
      return row?.totp_secret;
    },
    /** Accepts the code of a time step, once; `secret` is what it was checked against, `sealedAnew` the same encrypted anew. */
    useCode: (userId: number, secret: string, step: number, sealedAnew: string) =>
      applies(useCode, [userId, secret, step, sealedAnew]),
    useRecoveryCode: (userId: number, hash: Buffer) => applies(useRecoveryCode, [userId, hash]),
    async countWrongCode(userId: number): Promise<void> {
      await db.rows(countWrongCode, [userId]);
    },
    /** False when there was none. */
    disable: (userId: number) => applies(disable, [userId]),
  };
}
