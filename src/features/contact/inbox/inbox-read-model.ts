import type { Database } from '../../../db/database.ts';
import { readRows, type TakeRows } from '../../../db/row-stream.ts';
import { contains, searchForm } from '../../../db/sql/search.ts';
import { empty, join, type RowOf, type Sql, sql, t } from '../../../db/sql/sql.ts';
import { query } from '../../../db/sql/statement.ts';
import { many, maybeOne, one } from '../../../db/statements.ts';
import type { Clock } from '../../../lib/clock.ts';
import { contactStatuses, contactSubjects } from '../submissions/contact-schemas.ts';
import { type InboxFilters, type InboxQuery, replyHours } from './inbox-schemas.ts';

const request = {
  id: t.bigint,
  name: t.text,
  email: t.text,
  phone: t.text.orNull,
  subject: t.oneOf(contactSubjects),
  message: t.text,
  status: t.oneOf(contactStatuses),
  admin_note: t.text.orNull,
  ip_address: t.text,
  user_agent: t.text,
  user_id: t.bigint.orNull,
  created_at: t.timestamptz,
  updated_at: t.timestamptz,
  row_version: t.bigint,
  handled_by: t.bigint.orNull,
  handler_username: t.text.orNull,
  overdue: t.boolean,
};
/** SQL: whether the request is unresolved for longer than the contact form promises. */
const isOverdue = (now: Date) =>
  sql`(r.status <> 'resolved' AND r.created_at < ${t.timestamptz(new Date(now.getTime() - replyHours * 3_600_000))})`;
const columns = (
  now: Date,
) => sql`r.id, r.name, r.email, r.phone, r.subject, r.message, r.status, r.admin_note, r.ip_address,
  r.user_agent, r.user_id, r.created_at, r.updated_at, r.row_version, r.handled_by,
  (SELECT u.username FROM users u WHERE u.id = r.handled_by) AS handler_username, ${isOverdue(now)} AS overdue`;
const orders = { asc: sql`r.created_at ASC, r.id ASC`, desc: sql`r.created_at DESC, r.id DESC` };

const counts = { found: t.bigint, pending: t.bigint, reviewed: t.bigint, resolved: t.bigint, total: t.bigint };

const searched = [sql`r.name`, sql`r.email`, sql`r.phone`, sql`r.message`].map(searchForm);

function matches({ status, subject, search, email, from, to, overdue }: InboxFilters, now: Date): Sql {
  const conditions = [
    status === 'all' ? empty : sql` AND r.status = ${t.text(status)}`,
    subject === 'all' ? empty : sql` AND r.subject = ${t.text(subject)}`,
    search === undefined ? empty : sql` AND ${contains(search, ...searched)}`,
    email === undefined ? empty : sql` AND lower(r.email) = lower(${t.text(email)})`,
    from === undefined ? empty : sql` AND r.created_at >= ${t.timestamptz(from)}`,
    overdue === undefined ? empty : sql` AND ${isOverdue(now)} = ${t.boolean(overdue)}`,
    to === undefined ? empty : sql` AND r.created_at < ${t.timestamptz(to)}`,
  ];
  return sql`true${join(conditions, empty)}`;
}

/** SQL: the number of matching requests, and of all requests per state. Reads the whole table, which stays small. */
const selectCounts = (where: Sql): Sql => sql`
  SELECT count(*) FILTER (WHERE ${where}) AS found, count(*) FILTER (WHERE r.status = 'pending') AS pending,
    count(*) FILTER (WHERE r.status = 'reviewed') AS reviewed, count(*) FILTER (WHERE r.status = 'resolved') AS resolved,
    count(*) AS total
  FROM contact_requests r`;

// One statement, hence one snapshot for the page and its counts.
const listRequests = many('list_contact_requests', { ...request, ...counts }, (given: InboxQuery, now: Date) => {
  const where = matches(given, now);
  return sql`
    SELECT ${columns(now)}, counts.*
    FROM (${selectCounts(where)}) AS counts
    CROSS JOIN (
      SELECT * FROM contact_requests r WHERE ${where} ORDER BY ${orders[given.order]}
      LIMIT ${t.bigint(given.limit)} OFFSET ${t.bigint((given.page - 1) * given.limit)}
    ) AS r
    ORDER BY ${orders[given.order]}`;
});
const countRequests = one('count_contact_requests', counts, (filters: InboxFilters, now: Date) =>
  selectCounts(matches(filters, now)),
);
const findRequest = maybeOne(
  'find_contact_request',
  request,
  (id: number, now: Date) => sql`SELECT ${columns(now)} FROM contact_requests r WHERE r.id = ${t.bigint(id)}`,
);
const earlier = {
  id: t.bigint,
  subject: t.oneOf(contactSubjects),
  status: t.oneOf(contactStatuses),
  created_at: t.timestamptz,
};
const listEarlier = query(
  'list_earlier_contact_requests',
  earlier,
  ({ id, email, created_at }: Pick<ContactRow, 'id' | 'email' | 'created_at'>) => sql`
    SELECT r.id, r.subject, r.status, r.created_at FROM contact_requests r
    WHERE lower(r.email) = lower(${t.text(email)})
      AND (r.created_at, r.id) < (${t.timestamptz(created_at)}, ${t.bigint(id)})
    ORDER BY ${orders.desc} LIMIT 20`,
);
const exportRequests = query(
  'export_contact_requests',
  request,
  (filters: InboxFilters, now: Date) =>
    sql`SELECT ${columns(now)} FROM contact_requests r WHERE ${matches(filters, now)} ORDER BY ${orders.desc}`,
);

export type ContactRow = RowOf<typeof request>;
export type EarlierRow = RowOf<typeof earlier>;
export type InboxCounts = RowOf<typeof counts>;
export type InboxReadModel = ReturnType<typeof createInboxReadModel>;

export function createInboxReadModel(db: Database, clock: Clock) {
  return {
    async list(query: InboxQuery): Promise<{ requests: readonly ContactRow[]; counts: InboxCounts }> {
      const requests = await listRequests(db, query, clock());
      return { requests, counts: requests[0] ?? (await countRequests(db, query, clock())) };
    },
    find: (id: number) => findRequest(db, id, clock()),
    listEarlier: (request: ContactRow) => db.many(listEarlier(request)),
    export: (filters: InboxFilters, take: TakeRows<ContactRow>) => readRows(db, exportRequests(filters, clock()), take),
  };
}
