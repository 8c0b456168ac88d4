import { type Executor, sql } from '../../db/database.ts';

export type Recipient = { username: string; email: string };

const findRecipient = sql('SELECT u.username, u.email FROM users u WHERE u.id = $1 AND u.deleted_at IS NULL');
// At most once a day, also for several locks at once.
const claimLockNotice = sql(`
  UPDATE users u SET lock_notice_at = $2
  WHERE u.id = $1 AND u.status = 'active' AND (u.lock_notice_at IS NULL OR u.lock_notice_at <= $2::timestamptz - interval '1 day')
  RETURNING u.username, u.email`);

export function createNoticeRepository(db: Executor) {
  return {
    async findRecipient(userId: number): Promise<Recipient | undefined> {
      const [row] = await db.rows<Recipient>(findRecipient, [userId]);
      return row;
    },
    /** The recipient, unless told within a day before. */
    async claimLockNotice(userId: number, now: Date): Promise<Recipient | undefined> {
      const [row] = await db.rows<Recipient>(claimLockNotice, [userId, now]);
      return row;
    },
  };
}
