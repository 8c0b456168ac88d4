import type { Executor } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { command, query } from '../../db/sql/statement.ts';
import { t } from '../../db/sql/types.ts';

const insertCaptcha = command(
  'insert_captcha',
  (id: string, answerDigest: Buffer, expiresAt: Date) => sql`
    INSERT INTO contact_captchas (id, answer_digest, expires_at)
    VALUES (${t.text(id)}, ${t.bytea(answerDigest)}, ${t.timestamptz(expiresAt)})`,
);
const takeCaptcha = query(
  'take_captcha',
  { answer_digest: t.bytea, is_valid: t.boolean },
  (id: string, now: Date) => sql`
    DELETE FROM contact_captchas WHERE id = ${t.text(id)}
    RETURNING answer_digest, expires_at > ${t.timestamptz(now)} AS is_valid`,
);
const deleteExpired = command(
  'delete_expired_captchas',
  (now: Date) => sql`DELETE FROM contact_captchas WHERE expires_at <= ${t.timestamptz(now)}`,
);

export function createCaptchaRepository(db: Executor) {
  return {
    insert: (id: string, answerDigest: Buffer, expiresAt: Date) =>
      db.execute(insertCaptcha(id, answerDigest, expiresAt)),
    take: (id: string, now: Date) => db.maybeOne(takeCaptcha(id, now)),
    deleteExpired: (now: Date) => db.execute(deleteExpired(now)),
  };
}
