import type { Executor } from '../../../../db/database.ts';
import { foldedName } from '../../../../db/sql/search.ts';
import { sql, t } from '../../../../db/sql/sql.ts';
import { type Command, command } from '../../../../db/sql/statement.ts';
import { maybeOne, one } from '../../../../db/statements.ts';
import type { NewPassword } from '../../passwords/password-hasher.ts';
import { endPendingLinks } from '../../passwords/pending-link-repository.ts';

export type Credentials = { id: number; password_hash: string | null };
/** The key under which failures for a name are counted, and the account with that name, if any. */
export type NamedAccount = { key: string; account: Credentials | undefined };

// Names are compared by the database. Unknown names are counted under a hash, because people type their password into
// the wrong field. Usernames contain no @ and addresses do, so they cannot be confused.
const findByNameStatement = one(
  'find_credentials_by_name',
  { key: t.text, id: t.bigint.orNull, password_hash: t.text.orNull },
  (name: string) => {
    const folded = foldedName(name);
    return sql`
      SELECT coalesce('user ' || u.id, 'name ' || encode(sha256(convert_to(${folded}, 'UTF8')), 'base64')) AS key,
        u.id, u.password_hash
      FROM (VALUES (1)) AS always
      LEFT JOIN users u ON u.deleted_at IS NULL AND (lower(u.username) = ${folded} OR lower(u.email) = ${folded})`;
  },
);
export const findById = maybeOne(
  'find_credentials_by_id',
  { id: t.bigint, password_hash: t.text.orNull, username: t.text, email: t.text },
  (userId: number) => sql`
    SELECT u.id, u.password_hash, u.username, u.email FROM users u
    WHERE u.id = ${t.bigint(userId)} AND u.deleted_at IS NULL`,
);
const setPassword = command(
  'set_password',
  (userId: number, { hash, expires_at }: NewPassword) => sql`
    UPDATE users SET password_hash = ${t.text(hash)}, password_expires_at = ${t.timestamptz(expires_at)}, updated_at = now()
    WHERE id = ${t.bigint(userId)} AND deleted_at IS NULL`,
);
const changePassword = command(
  'change_password',
  ({ id, password_hash }: Credentials, next: NewPassword, now: Date) => sql`
    UPDATE users SET password_hash = ${t.text(next.hash)}, password_expires_at = ${t.timestamptz(next.expires_at)},
      updated_at = now()
    WHERE id = ${t.bigint(id)} AND deleted_at IS NULL AND password_hash = ${t.text(password_hash)}
      AND (password_expires_at IS NULL OR password_expires_at > ${t.timestamptz(now)})`,
);

async function replace(db: Executor, userId: number, password: Command): Promise<boolean> {
  if ((await db.execute(password)) === 0) return false;
  await endPendingLinks(db, userId);
  return true;
}
export async function findByName(db: Executor, name: string): Promise<NamedAccount> {
  const { key, id, password_hash } = await findByNameStatement(db, name);
  return { key, account: id === null ? undefined : { id, password_hash } };
}
export const set = (db: Executor, userId: number, next: NewPassword) => replace(db, userId, setPassword(userId, next));
/** Returns false unless `current` is still the account's password and has not expired. */
export const change = (db: Executor, current: Credentials, next: NewPassword, now: Date) =>
  replace(db, current.id, changePassword(current, next, now));
