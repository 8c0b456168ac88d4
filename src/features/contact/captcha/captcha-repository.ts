import type { Executor } from '../../../db/database.ts';

export async function insert(db: Executor, id: string, answer_digest: Buffer, expires_at: Date): Promise<void> {
  await db.table('contact_captchas', 'insert_captcha').insert({ id, answer_digest, expires_at });
}
/** Deletes it, so that it is answered once. */
export async function take(db: Executor, id: string) {
  const taken = db.table('contact_captchas', 'take_captcha').where({ id });
  return (await taken.delete(['answer_digest', 'expires_at']))[0];
}
export const deleteExpired = async (db: Executor, now: Date) =>
  db.table('contact_captchas', 'delete_expired_captchas').where('expires_at', '<=', now).delete();
