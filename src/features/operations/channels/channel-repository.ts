import type { Executor } from '../../../db/executor.ts';
import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { execute, many, maybeOne, one } from '../../../db/statements.ts';
import { locales } from '../../../texts/index.ts';
import { actingRole } from '../../../transactions/scope-sql.ts';

const channelColumns = {
  destination: t.text,
  streak_hour: t.integer.orNull,
  weekly: t.boolean,
  new_requests: t.boolean,
  since: t.timestamptz,
  last_sent_at: t.timestamptz.orNull,
  failures: t.integer,
  error_code: t.text.orNull,
};
export type ChannelRow = RowOf<typeof channelColumns>;
const columns = sql`c.destination, c.streak_hour, c.weekly, c.new_requests, c.since, c.last_sent_at, c.failures, c.error_code`;

export const find = maybeOne(
  'find_channel',
  channelColumns,
  (userId: number) => sql`SELECT ${columns} FROM channels c WHERE c.user_id = ${t.bigint(userId)}`,
);

const recipient = { display_name: t.text, locale: t.oneOf(locales).orNull, role: t.text };

/** Of a person who may sign in: with the role at this moment. */
export const findRecipient = maybeOne(
  'find_recipient_of_channel',
  { ...channelColumns, ...recipient },
  (userId: number) => sql`
    SELECT ${columns}, u.display_name, u.locale, ${actingRole} AS role
    FROM channels c JOIN users u ON u.id = c.user_id
    WHERE c.user_id = ${t.bigint(userId)} AND u.status = 'active'`,
);

export const listForRequests = many(
  'list_channels_for_new_requests',
  { user_id: t.bigint, locale: t.oneOf(locales).orNull },
  () => sql`
    SELECT c.user_id, u.locale FROM channels c JOIN users u ON u.id = c.user_id
    WHERE c.new_requests AND ${actingRole} = 'admin' AND u.status = 'active' ORDER BY c.user_id`,
);

export type NewChannel = Pick<ChannelRow, 'destination' | 'streak_hour' | 'weekly' | 'new_requests'> & { since: Date };
export const save = one('save_channel', channelColumns, (userId: number, channel: NewChannel) => {
  const { destination, streak_hour, weekly, new_requests, since } = channel;
  return sql`
    INSERT INTO channels AS c (user_id, destination, streak_hour, weekly, new_requests, since)
    VALUES (${t.bigint(userId)}, ${t.text(destination)}, ${t.integer(streak_hour)}, ${t.boolean(weekly)},
      ${t.boolean(new_requests)}, ${t.timestamptz(since)})
    ON CONFLICT ON CONSTRAINT channels_pkey DO UPDATE SET destination = excluded.destination,
      streak_hour = excluded.streak_hour, weekly = excluded.weekly, new_requests = excluded.new_requests,
      since = excluded.since,
      failures = CASE WHEN c.destination = excluded.destination THEN c.failures ELSE 0 END,
      error_code = CASE WHEN c.destination = excluded.destination THEN c.error_code END
    RETURNING ${columns}`;
});

export const recordSent = execute(
  'record_channel_message',
  (userId: number, now: Date) => sql`
    UPDATE channels SET last_sent_at = ${t.timestamptz(now)}, failures = 0, error_code = NULL
    WHERE user_id = ${t.bigint(userId)}`,
);
export const recordFailure = execute(
  'record_channel_failure',
  (userId: number, code: string) => sql`
    UPDATE channels SET failures = failures + 1, error_code = ${t.text(code)} WHERE user_id = ${t.bigint(userId)}`,
);

export const lockOwner = async (db: Executor, id: number) =>
  db.table('users', 'lock_owner_of_channel').where({ id }).forNoKeyUpdate().first('id');
export const remove = async (db: Executor, user_id: number) =>
  db.table('channels', 'delete_channel').where({ user_id }).delete();
