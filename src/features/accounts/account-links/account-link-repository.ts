import { userStatuses } from '../../../actor.ts';
import type { Executor } from '../../../db/database.ts';
import { foldedName } from '../../../db/sql/search.ts';
import { type RowOf, selectList, sql, t } from '../../../db/sql/sql.ts';
import { execute, maybeOne, value } from '../../../db/statements.ts';
import { type Locale, locales } from '../../../texts/index.ts';

const purposes = ['invitation', 'password_reset'] as const;
export type LinkPurpose = (typeof purposes)[number];
export type NewAccountLink = {
  user_id: number;
  purpose: LinkPurpose;
  token_hash: Buffer;
  by_administrator: boolean;
  created_at: Date;
  expires_at: Date;
};

const countSince = value(
  'count_account_links_since',
  { count: t.bigint },
  (userId: number, byAdministrator: boolean, since: Date) => sql`
    SELECT count(*) AS count FROM account_links
    WHERE user_id = ${t.bigint(userId)} AND by_administrator = ${t.boolean(byAdministrator)}
      AND created_at > ${t.timestamptz(since)}`,
);

const findPending = maybeOne(
  'find_pending_account_link',
  { user_id: t.bigint, purpose: t.oneOf(purposes), username: t.text, email: t.text },
  (tokenHash: Buffer, now: Date) => sql`
    SELECT l.user_id, l.purpose, u.username, u.email
    FROM account_links l JOIN users u ON u.id = l.user_id AND u.status = 'active'
    WHERE l.token_hash = ${t.bytea(tokenHash)} AND l.expires_at > ${t.timestamptz(now)}`,
);

const accountColumns = {
  id: t.bigint,
  username: t.text,
  email: t.text,
  locale: t.oneOf(locales).orNull,
  status: t.oneOf(userStatuses),
  last_login_at: t.timestamptz.orNull,
};

export type LinkedAccount = RowOf<typeof accountColumns>;
const accountFields = selectList(accountColumns, sql`u`);

const lockAccount = maybeOne(
  'lock_account_for_link',
  accountColumns,
  (userId: number) => sql`
    SELECT ${accountFields} FROM users u WHERE u.id = ${t.bigint(userId)} AND u.deleted_at IS NULL FOR NO KEY UPDATE`,
);

const lockAccountByEmail = maybeOne(
  'lock_account_for_link_by_email',
  accountColumns,
  (email: string) => sql`
    SELECT ${accountFields} FROM users u
    WHERE lower(u.email) = ${foldedName(email)} AND u.status = 'active'
    FOR NO KEY UPDATE`,
);

const lockRights = execute('lock_rights', (userId: number) => sql`SELECT lock_rights(${t.bigint(userId)})`);
export const accountLinks = {
  countSince,
  /** An account has at most one valid link per purpose: the latest. */
  async replace(db: Executor, link: NewAccountLink): Promise<void> {
    await db
      .table('account_links', 'cancel_pending_account_link')
      .where({ user_id: link.user_id, purpose: link.purpose })
      .whereNotNull('token_hash')
      .update({ token_hash: null });
    await db.table('account_links', 'insert_account_link').insert(link);
  },
  /** The valid link with this token, and its account. Setting the password of the account cancels it. */
  findPending,
  lockAccount,
  lockAccountByEmail,
  /** Waits for transactions of this user in progress, and blocks new ones until this one ends. */
  lockRights,
  /** Expired links that no longer count towards the daily quota. */
  deleteExpired: async (db: Executor, now: Date, before: Date) =>
    db
      .table('account_links', 'delete_expired_account_links')
      .where('expires_at', '<=', now)
      .where('created_at', '<=', before)
      .delete(),
};

const requestColumns = { email: t.text, locale: t.oneOf(locales), requested_at: t.timestamptz };

const takeNext = maybeOne(
  'take_next_password_reset_request',
  requestColumns,
  () => sql`
    DELETE FROM password_reset_requests
    WHERE id = (SELECT id FROM password_reset_requests ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING email, locale, requested_at`,
);

export const resetRequests = {
  async insert(db: Executor, email: string, locale: Locale, requested_at: Date): Promise<void> {
    await db.table('password_reset_requests', 'insert_password_reset_request').insert({ email, locale, requested_at });
  },
  /** Deletes and returns the oldest request that no other process has locked; a rollback restores it. */
  takeNext,
};
