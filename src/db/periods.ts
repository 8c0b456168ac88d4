import { NotFoundError, ValidationError } from '../texts/errors.ts';
import type { MessageKey } from '../texts/index.ts';
import type { Executor } from './executor.ts';
import { sql, t } from './sql/sql.ts';
import { maybeOne } from './statements.ts';

/** Where a period of a request begins or ends: an instant, or a date for the whole day in the calendar of a user. */
export type Moment = Date | string;
type Given = { from?: Moment | undefined; to?: Moment | undefined };
type Ends<End> = { from?: End | undefined; to?: End | undefined };
/** A query whose ends are instants. */
export type Between<Query extends Given> = Omit<Query, 'from' | 'to'> & Ends<Date>;
type Period<End> = { from: End; to: End };
type Bounds = { maxDays: number; prefix?: string };
type Owner = { user_id: number; zone?: string | undefined };

const dayLength = 86_400_000;
const dayStart = sql`make_interval(hours => coalesce(u.day_start_hour, 0))`;

/** The beginning of the first day, and of the day after the last one. */
const readInstants = maybeOne(
  'read_instants_of_days',
  { from: t.timestamptz.orNull, to: t.timestamptz.orNull },
  (userId: number, from: string | null, to: string | null) => sql`
    SELECT (${t.text(from)}::date + ${dayStart}) AT TIME ZONE u.timezone AS "from",
      (${t.text(to)}::date + 1 + ${dayStart}) AT TIME ZONE u.timezone AS "to"
    FROM users u WHERE u.id = ${t.bigint(userId)}`,
);

/** The days that contain the first instant, and the last one before the end. */
const readDays = maybeOne(
  'read_days_of_instants',
  { from: t.text.orNull, to: t.text.orNull },
  ({ user_id, zone }: Owner, from: Date | null, to: Date | null) => {
    const clock = sql`AT TIME ZONE coalesce(${t.text(zone ?? null)}, u.timezone) - ${dayStart}`;
    return sql`
      SELECT (${t.timestamptz(from)} ${clock})::date::text AS "from",
        ((${t.timestamptz(to)} - interval '1 microsecond') ${clock})::date::text AS "to"
      FROM users u WHERE u.id = ${t.bigint(user_id)}`;
  },
);

const instant = (moment: Moment | undefined) => (moment instanceof Date ? moment : undefined);
const date = (moment: Moment | undefined) => (moment instanceof Date ? undefined : moment);

/** `from` and `to` of requests, which are dates or instants, as the operation needs them. */
export function createPeriods(db: Executor) {
  /** For statistics of whole days. An instant as the end is not included: midnight ends the day before. */
  async function days(owner: Owner, given: Given, { maxDays, prefix = '' }: Bounds): Promise<Ends<string>> {
    const [start, end] = [instant(given.from), instant(given.to)];
    const refuse = (end: 'from' | 'to', key: MessageKey) =>
      ValidationError.of(`${prefix}${end}`, key, { maximum: maxDays });
    if (start !== undefined && end !== undefined && end <= start) throw refuse('to', 'period_ends_early');
    const isGiven = start !== undefined || end !== undefined;
    const read = isGiven ? await readDays(db, owner, start ?? null, end ?? null) : undefined;
    const from = date(given.from) ?? read?.from ?? undefined;
    const to = date(given.to) ?? read?.to ?? undefined;
    for (const [end, day] of [['from', from] as const, ['to', to] as const])
      if (day !== undefined && !/^2[01]\d\d-/.test(day)) throw refuse(end, 'invalid_day');
    if (from !== undefined && to !== undefined) {
      if (to < from) throw refuse('to', 'period_ends_early');
      if (Date.parse(to) - Date.parse(from) >= maxDays * dayLength) throw refuse('to', 'period_too_long');
    }
    return { from, to };
  }

  return {
    days,

    /** The same of two required ends. */
    async period(owner: Owner, given: Period<Moment>, bounds: Bounds): Promise<Period<string>> {
      const { from, to } = await days(owner, given, bounds);
      if (from === undefined || to === undefined) throw new NotFoundError('user_not_found');
      return { from, to };
    },

    /** For lists by time. The end is not included, so that of a date is the beginning of the next day. */
    async instants<Query extends Given>(
      userId: number,
      query: Query,
    ): Promise<Omit<Query, 'from' | 'to'> & Ends<Date>> {
      const [first, last] = [date(query.from), date(query.to)];
      const isGiven = first !== undefined || last !== undefined;
      const read = isGiven ? await readInstants(db, userId, first ?? null, last ?? null) : undefined;
      const at = (found: string | null | undefined) => (found == null ? undefined : new Date(found));
      return { ...query, from: instant(query.from) ?? at(read?.from), to: instant(query.to) ?? at(read?.to) };
    },
  };
}

export type Periods = ReturnType<typeof createPeriods>;
