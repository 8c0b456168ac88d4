import { type Database, sql, type Value } from '../../db/database.ts';
import { readRows, type TakeRows } from '../../db/row-stream.ts';
import type { ContactRequest, InboxFilters, InboxQuery } from './contact-schemas.ts';

export type ContactRow = Omit<ContactRequest, 'phone' | 'user_id'> & { phone: string | null; user_id: number | null };
type Stats = { pending: number; reviewed: number; resolved: number; total: number };
export type InboxPage = { requests: ContactRequest[]; found: number; stats: Stats };

type PageRow = Stats & { found: number } & (ContactRow | { [Key in keyof ContactRow]: null });

const columns = `r.id, r.name, r.email, r.phone, r.subject, r.message, r.status, r.admin_note, r.ip_address, r.user_agent,
  r.user_id, r.created_at, r.updated_at`;

// position() takes the text as it stands, without the wildcards of LIKE.
const matches = `
  ($1::text IS NULL OR r.status = $1) AND ($2::text IS NULL OR r.subject = $2)
  AND ($3::text IS NULL OR position(lower($3) IN lower(concat_ws(E'\\n', r.name, r.email, r.phone, r.message))) > 0)
  AND ($4::text IS NULL OR lower(r.email) = lower($4))
  AND ($5::timestamptz IS NULL OR r.created_at >= $5) AND ($6::timestamptz IS NULL OR r.created_at < $6)`;

// One statement, hence one snapshot. An empty page still has its row of counts.
const readPage = sql(`
  SELECT counts.*, page.*
  FROM (
    SELECT count(*) FILTER (WHERE ${matches}) AS found, count(*) FILTER (WHERE r.status = 'pending') AS pending,
      count(*) FILTER (WHERE r.status = 'reviewed') AS reviewed, count(*) FILTER (WHERE r.status = 'resolved') AS resolved,
      count(*) AS total
    FROM contact_requests r
  ) AS counts
  LEFT JOIN (
    SELECT ${columns} FROM contact_requests r WHERE ${matches} ORDER BY r.created_at DESC, r.id DESC LIMIT $7 OFFSET $8
  ) AS page ON true
  ORDER BY page.created_at DESC, page.id DESC`);

const readOne = sql(`SELECT ${columns} FROM contact_requests r WHERE r.id = $1`);
const selectAll = `SELECT ${columns} FROM contact_requests r WHERE ${matches} ORDER BY r.created_at DESC, r.id DESC`;

/** The administrators' view of the requests, newest first. Counting reads the whole table, which stays small. */
export function createInboxReadModel(database: Database) {
  return {
    async read(query: InboxQuery): Promise<InboxPage> {
      const values = [...filterValues(query), query.limit, (query.page - 1) * query.limit];
      const rows = await database.rows<PageRow>(readPage, values);
      const [first] = rows;
      if (first === undefined) throw new Error('the counts are always there');
      const { found, pending, reviewed, resolved, total } = first;
      const requests = rows.flatMap(({ found, pending, reviewed, resolved, total, ...row }) =>
        row.id === null ? [] : [asRequest(row)],
      );
      return { requests, found, stats: { pending, reviewed, resolved, total } };
    },
    async find(id: number): Promise<ContactRequest | undefined> {
      const [row] = await database.rows<ContactRow>(readOne, [id]);
      return row && asRequest(row);
    },
    /** Hands over every matching request. */
    readAll: (filters: InboxFilters, take: TakeRows<ContactRow>): Promise<void> =>
      readRows(database, { text: selectAll, values: filterValues(filters) }, take),
  };
}

export type InboxReadModel = ReturnType<typeof createInboxReadModel>;

function filterValues({ status, subject, search, email, from, to }: InboxFilters): Value[] {
  const known = (value: string) => (value === 'all' ? null : value);
  return [known(status), known(subject), search ?? null, email ?? null, from ?? null, to ?? null];
}

/** What is not there is left out. */
function asRequest({ phone, user_id, ...row }: ContactRow): ContactRequest {
  return { ...row, ...(phone !== null && { phone }), ...(user_id !== null && { user_id }) };
}
