import { type Executor, sql } from '../../db/database.ts';

const insertCaptcha = sql('INSERT INTO contact_captchas (id, answer_digest, expires_at) VALUES ($1, $2, $3)');
const takeCaptcha = sql('DELETE FROM contact_captchas WHERE id = $1 RETURNING answer_digest, expires_at > $2 AS valid');
const deleteExpired = sql('DELETE FROM contact_captchas WHERE expires_at <= $1');

export type TakenCaptcha = { answer_digest: Buffer; valid: boolean };

export function createCaptchaRepository(db: Executor) {
  return {
    async insert(id: string, answerDigest: Buffer, expiresAt: Date): Promise<void> {
      await db.rows(insertCaptcha, [id, answerDigest, expiresAt]);
    },
    /** The captcha, which from now on is gone: of two that ask at once, one gets it. */
    async take(id: string, now: Date): Promise<TakenCaptcha | undefined> {
      const [row] = await db.rows<TakenCaptcha>(takeCaptcha, [id, now]);
      return row;
    },
    async deleteExpired(now: Date): Promise<void> {
      await db.rows(deleteExpired, [now]);
    },
  };
}
