import type { Executor } from '../../../db/database.ts';
import { empty, type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { many, maybeOne, one, value } from '../../../db/statements.ts';
import { studentsInScope } from '../../../transactions/scope-sql.ts';
import type { LimitedTo } from '../../accounts/admin-scope/admin-scope.ts';
import type { ListLinksQuery } from './report-schemas.ts';

const linkColumns = {
  id: t.bigint,
  user_id: t.bigint,
  display_name: t.text,
  first_day: t.date,
  last_day: t.date,
  created_by: t.text,
  created_at: t.timestamptz,
  expires_at: t.timestamptz,
  last_used_at: t.timestamptz.orNull,
};
export type ReportLinkRow = RowOf<typeof linkColumns>;

type NewLink = {
  user_id: number;
  created_by: number;
  token_hash: Buffer;
  first_day: string;
  last_day: string;
  created_at: Date;
  expires_at: Date;
};

const columns = sql`l.id, l.user_id, u.display_name, l.first_day, l.last_day, c.display_name AS created_by, l.created_at,
  l.expires_at, l.last_used_at`;
const people = sql`JOIN users u ON u.id = l.user_id JOIN users c ON c.id = l.created_by`;
const isOpen = (now: Date) => sql`l.expires_at > ${t.timestamptz(now)}`;

// Both in id order, as every lock of users.
/** The accounts that exist. A deactivation of one, and the creation of another link, wait for this transaction. */
export const lockPeople = many(
  'lock_people_of_report_link',
  { id: t.bigint, status: t.text },
  (ids: readonly number[]) => sql`
    SELECT u.id, u.status FROM users u WHERE u.id = ANY(${t.bigints(ids)}) AND u.deleted_at IS NULL
    ORDER BY u.id FOR NO KEY UPDATE`,
);

/** A link that ends is deleted: the audit log keeps that it was there. */
export const countOpen = value(
  'count_open_report_links',
  { count: t.bigint },
  (creator: number, now: Date) => sql`
    SELECT count(*) AS count FROM report_links l WHERE l.created_by = ${t.bigint(creator)} AND ${isOpen(now)}`,
);

export const insert = one(
  'insert_report_link',
  linkColumns,
  (link: NewLink) => sql`
    WITH l AS (
      INSERT INTO report_links (user_id, created_by, token_hash, first_day, last_day, created_at, expires_at)
      VALUES (${t.bigint(link.user_id)}, ${t.bigint(link.created_by)}, ${t.bytea(link.token_hash)}, ${t.date(link.first_day)},
        ${t.date(link.last_day)}, ${t.timestamptz(link.created_at)}, ${t.timestamptz(link.expires_at)})
      RETURNING *)
    SELECT ${columns} FROM l ${people}`,
);

type LinkFilter = ListLinksQuery & LimitedTo;
const ofStudent = ({ user_id, limitedTo }: LinkFilter) => sql`
  ${user_id === undefined ? empty : sql`AND l.user_id = ${t.bigint(user_id)}`}
  ${limitedTo === undefined ? empty : sql`AND l.user_id IN (${studentsInScope(t.bigint(limitedTo))})`}`;
const listOpen = many(
  'list_report_links',
  linkColumns,
  (filter: LinkFilter, now: Date) => sql`
    SELECT ${columns} FROM report_links l ${people} WHERE ${isOpen(now)} ${ofStudent(filter)}
    ORDER BY l.id DESC LIMIT ${t.bigint(filter.limit)} OFFSET ${t.bigint((filter.page - 1) * filter.limit)}`,
);
const countListed = one(
  'count_listed_report_links',
  { count: t.bigint },
  (filter: LinkFilter, now: Date) => sql`
    SELECT count(*) AS count FROM report_links l WHERE ${isOpen(now)} ${ofStudent(filter)}`,
);

// The use is recorded at most once a minute. The rights are those of now: also what changed past the services ends the link.
export const use = maybeOne(
  'use_report_link',
  { user_id: t.bigint, first_day: t.date, last_day: t.date },
  (tokenHash: Buffer, now: Date) => sql`
    WITH found AS (
      SELECT l.id, l.user_id, l.first_day, l.last_day FROM report_links l ${people}
      WHERE l.token_hash = ${t.bytea(tokenHash)} AND ${isOpen(now)} AND u.status = 'active'
        AND c.status = 'active' AND c.role = 'admin'
        AND (c.admin_scope = 'all' OR l.user_id IN (${studentsInScope(sql`c.id`)}))),
    used AS (
      UPDATE report_links l SET last_used_at = ${t.timestamptz(now)} FROM found f
      WHERE l.id = f.id AND (l.last_used_at IS NULL OR l.last_used_at <= ${t.timestamptz(now)} - interval '1 minute'))
    SELECT f.user_id, f.first_day, f.last_day FROM found f`,
);

const removedColumns = {
  id: t.bigint,
  user_id: t.bigint,
  first_day: t.date,
  last_day: t.date,
  expires_at: t.timestamptz,
};
export const remove = maybeOne(
  'delete_report_link',
  removedColumns,
  (id: number, now: Date) => sql`
    DELETE FROM report_links l WHERE l.id = ${t.bigint(id)} AND ${isOpen(now)}
    RETURNING l.id, l.user_id, l.first_day, l.last_day, l.expires_at`,
);
export async function list(
  db: Executor,
  filter: LinkFilter,
  now: Date,
): Promise<{ links: ReportLinkRow[]; total: number }> {
  const links = await listOpen(db, filter, now);
  return { links, total: (await countListed(db, filter, now)).count };
}
/** Those that a former administrator created; of a deactivated user also those to their report. */
export async function endOf(db: Executor, id: number, { isDeactivated }: { isDeactivated: boolean }): Promise<void> {
  await db.table('report_links', 'delete_report_links_of_creator').where({ created_by: id }).delete();
  if (!isDeactivated) return;
  await db.table('report_links', 'delete_report_links_about_user').where({ user_id: id }).delete();
}
export const deleteExpired = async (db: Executor, now: Date) =>
  db.table('report_links', 'delete_expired_report_links').where('expires_at', '<=', now).delete();
