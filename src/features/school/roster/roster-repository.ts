import type { Executor } from '../../../db/executor.ts';
import { type RowOf, sql, t } from '../../../db/sql/sql.ts';
import { changes, execute, many, maybeOne, maybeValue } from '../../../db/statements.ts';
import type { ErrorCode } from '../../../texts/errors.ts';
import type { Message } from '../../../texts/index.ts';
import type { RosterColumns } from './file/roster-columns.ts';
import type { RosterError, RosterFile } from './file/roster-row.ts';
import { rosterFormats, rosterMissing, rosterStates } from './roster-schemas.ts';

export type RosterCounts = {
  new: number;
  changed: number;
  moved: number;
  missing: number;
  unchanged: number;
  left_out: number;
  without_groups?: number;
  new_groups: string[];
};
/** Why it ended early: the error of a request that the administrator could no longer make. */
export type RosterFailure = { code: ErrorCode; text: Message };
export const interrupted: RosterFailure = { code: 'SERVICE_UNAVAILABLE', text: { key: 'roster_interrupted' } };

const rosterColumns = {
  id: t.bigint,
  user_id: t.bigint,
  username: t.text,
  timezone: t.text,
  sign_in_id: t.uuid,
  request_id: t.text,
  dry_run: t.boolean,
  missing: t.oneOf(rosterMissing),
  deactivate_at_most: t.integer.orNull,
  invite: t.boolean,
  format: t.oneOf(rosterFormats),
  columns: t.json<RosterColumns>(),
  state: t.oneOf(rosterStates),
  rows: t.integer,
  processed: t.integer,
  problems: t.integer,
  counts: t.json<RosterCounts>().orNull,
  errors_count: t.integer,
  errors: t.json<RosterError[]>(),
  failure: t.json<RosterFailure>().orNull,
  created_at: t.timestamptz,
  finished_at: t.timestamptz.orNull,
};
export type Roster = RowOf<typeof rosterColumns>;
const columns = sql`r.id, r.user_id, u.username, u.timezone, r.sign_in_id, r.request_id, r.dry_run, r.missing,
  r.deactivate_at_most, r.invite,
  r.format, r.columns, r.state, r.rows, r.processed, r.problems, r.counts, r.errors_count, r.errors, r.failure, r.created_at, r.finished_at`;

export type NewRoster = Pick<
  Roster,
  'user_id' | 'sign_in_id' | 'request_id' | 'dry_run' | 'missing' | 'deactivate_at_most' | 'invite'
>;

// The index of unfinished rosters allows one, in all processes.
/** Undefined while there is an unfinished one. */
export const insert = maybeValue(
  'insert_roster',
  { id: t.bigint },
  (roster: NewRoster, { format, columns: read, rows, errors, errors_count }: RosterFile, now: Date) => sql`
    INSERT INTO rosters (user_id, sign_in_id, request_id, dry_run, missing, deactivate_at_most, invite, format, columns, rows,
      errors_count, errors, created_at)
    VALUES (${t.bigint(roster.user_id)}, ${t.uuid(roster.sign_in_id)}, ${t.text(roster.request_id)},
      ${t.boolean(roster.dry_run)}, ${t.text(roster.missing)}, ${t.integer(roster.deactivate_at_most)},
      ${t.boolean(roster.invite)}, ${t.text(format)},
      ${t.jsonb(JSON.stringify(read))}, ${t.integer(rows.length)}, ${t.integer(errors_count)}, ${t.jsonb(JSON.stringify(errors))}, ${t.timestamptz(now)})
    ON CONFLICT DO NOTHING RETURNING id`,
);
export const find = maybeOne(
  'find_roster',
  rosterColumns,
  (id: number) => sql`SELECT ${columns} FROM rosters r JOIN users u ON u.id = r.user_id WHERE r.id = ${t.bigint(id)}`,
);
export const list = many(
  'list_rosters',
  rosterColumns,
  () => sql`SELECT ${columns} FROM rosters r JOIN users u ON u.id = r.user_id ORDER BY r.id DESC LIMIT 10`,
);
/** Returns false if it is in another state. */
export const setState = changes(
  'set_roster_state',
  (id: number, from: string, to: string) => sql`
    UPDATE rosters SET state = ${t.text(to)} WHERE id = ${t.bigint(id)} AND state = ${t.text(from)}`,
);

export type RosterCheck = Pick<Roster, 'errors' | 'errors_count'> & { counts: RosterCounts };
// `processed` starts with the rows that need nothing.
/** Returns false if it is in another state. */
export const saveCheck = changes(
  'save_roster_check',
  (id: number, { counts, errors, errors_count }: RosterCheck) => sql`
    UPDATE rosters SET counts = ${t.jsonb(JSON.stringify(counts))}, errors = ${t.jsonb(JSON.stringify(errors))},
      errors_count = ${t.integer(errors_count)},
      processed = (SELECT count(*) FROM roster_rows w WHERE w.roster_id = ${t.bigint(id)} AND w.settled)
    WHERE id = ${t.bigint(id)} AND state = 'checking'`,
);
export const finish = execute(
  'finish_roster',
  (id: number, state: 'done' | 'failed' | 'stopped', now: Date, failure?: RosterFailure) => sql`
    UPDATE rosters SET state = ${t.text(state)}, finished_at = ${t.timestamptz(now)},
      failure = ${t.jsonb(failure === undefined ? null : JSON.stringify(failure))}
    WHERE id = ${t.bigint(id)} AND finished_at IS NULL`,
);
export const failUnreceived = execute(
  'fail_unreceived_rosters',
  (before: Date, now: Date, failure: RosterFailure) => sql`
    UPDATE rosters SET state = 'failed', finished_at = ${t.timestamptz(now)}, failure = ${t.jsonb(JSON.stringify(failure))}
    WHERE state = 'receiving' AND finished_at IS NULL AND created_at < ${t.timestamptz(before)}`,
);

/** What rosters know about an account; null groups are unchanged. */
export const setAccount = execute(
  'set_roster_account',
  (userId: number, external: string | null, groups: readonly number[] | null) => sql`
    INSERT INTO roster_accounts (user_id, external_id, group_ids)
    VALUES (${t.bigint(userId)}, ${t.text(external)}, coalesce(${t.bigints(groups)}, '{}'))
    ON CONFLICT (user_id) DO UPDATE SET external_id = coalesce(roster_accounts.external_id, excluded.external_id),
      group_ids = coalesce(${t.bigints(groups)}, roster_accounts.group_ids), deactivated = false`,
);
export const findAccount = maybeOne(
  'find_roster_account',
  { group_ids: t.bigints, deactivated: t.boolean },
  (userId: number) => sql`SELECT group_ids, deactivated FROM roster_accounts WHERE user_id = ${t.bigint(userId)}`,
);
export const hasUnfinished = async (db: Executor) =>
  (await db.table('rosters', 'find_unfinished_roster').whereNull('finished_at').first('id')) !== undefined;
export const deleteFinished = async (db: Executor, before: Date) =>
  db.table('rosters', 'delete_finished_rosters').where('finished_at', '<', before).delete();
/** Whether a roster has deactivated it, so that a later one activates it again. */
export const markDeactivated = async (db: Executor, user_id: number, deactivated: boolean) =>
  db.table('roster_accounts', 'mark_roster_account_deactivated').where({ user_id }).update({ deactivated });
/** Of an account that is deleted. */
export const forget = async (db: Executor, user_id: number) => {
  await db.table('roster_accounts', 'delete_roster_account').where({ user_id }).delete();
  await db.table('roster_rows', 'delete_roster_rows_of_user').where({ user_id }).delete();
};
