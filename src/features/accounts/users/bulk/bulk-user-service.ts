import type { Actor } from '../../../../actor.ts';
import type { TimeZones } from '../../../../db/time-zones.ts';
import type { Clock } from '../../../../lib/clock.ts';
import { escapeHtml } from '../../../../lib/html.ts';
import type { SecurityLog } from '../../../../lib/log/security-log.ts';
import type { FieldError } from '../../../../texts/errors.ts';
import { type Locale, type Message, translate } from '../../../../texts/index.ts';
import type { Db } from '../../../../transactions/transactions.ts';
import { requireNewMembers } from '../../admin-scope/admin-scope.ts';
import { joinGroups } from '../../groups/group-service.ts';
import { createOneTimePassword, oneTimePasswordDays, type PasswordHasher } from '../../passwords/password-hasher.ts';
import { newUser, takenErrors } from '../account-creation.ts';
import * as bulkUsers from './bulk-user-repository.ts';
import type { CreateUsersInput } from './bulk-user-schemas.ts';

const style = `body { font: 12pt sans-serif; margin: 1cm } table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px dashed #888; padding: 0.5em; text-align: left } tr { break-inside: avoid }
code { font: 13pt monospace }`;

export const passwordListPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

export function passwordList(rows: readonly CreatedRow[], locale: Locale, publicUrl: string | undefined): string {
  const text = (message: Message) => escapeHtml(translate(message, locale));
  const cells = (tag: 'th' | 'td', ...contents: readonly string[]) =>
    `<tr>${contents.map((content) => `<${tag}>${content}</${tag}>`).join('')}</tr>`;
  const created = rows.filter((row) => row.user_id !== null);
  const failed = rows.filter((row) => row.user_id === null).map((row) => row.username);
  const note = text({ key: 'password_list_note', params: { days: oneTimePasswordDays } });
  const where = publicUrl === undefined ? '' : ` ${escapeHtml(publicUrl)}`;
  return [
    `<!doctype html><html lang="${locale}"><meta charset="utf-8"><title>${text({ key: 'password_list_title' })}</title>`,
    `<style>${style}</style><h1>${text({ key: 'password_list_title' })}</h1><p>${note}${where}</p><table>`,
    cells(
      'th',
      text({ key: 'password_list_name' }),
      text({ key: 'password_list_username' }),
      text({ key: 'password_list_password' }),
    ),
    ...created.map(({ display_name, username, one_time_password = '' }) =>
      cells('td', escapeHtml(display_name), escapeHtml(username), `<code>${escapeHtml(one_time_password)}</code>`),
    ),
    '</table>',
    failed.length > 0 ? `<p>${text({ key: 'password_list_failed', params: { names: failed.join(', ') } })}</p>` : '',
    '</html>\n',
  ].join('\n');
}

type Row = ReturnType<typeof newUser>;
/** A row of the request; without a hash if one of its names is taken. */
export type PreparedRow = { fields: Row; hash?: string; one_time_password?: string };

/** The result of a row: the account and its password, or why it was not created. */
export type CreatedRow = Row & { user_id: number | null; one_time_password?: string; errors: FieldError[] };

export type BulkUserServiceOptions = {
  store: Db;
  hasher: PasswordHasher;
  timeZones: Pick<TimeZones, 'require'>;
  securityLog: SecurityLog;
  clock: Clock;
};
export type BulkUserService = ReturnType<typeof createBulkUserService>;

export function createBulkUserService({ store, hasher, timeZones, securityLog, clock }: BulkUserServiceOptions) {
  return {
    /** Hashes the passwords one by one in the fair queue, except for rows whose names are taken. */
    async prepare(actor: Actor, { users }: CreateUsersInput): Promise<PreparedRow[]> {
      for (const [index, { timezone }] of users.entries())
        if (timezone !== undefined) await timeZones.require(timezone, `users[${index}].timezone`);
      const rows = users.map((user) => newUser(user, actor.timezone));
      const taken = await bulkUsers.findTaken(store, rows);
      const prepared: PreparedRow[] = [];
      for (const [index, fields] of rows.entries()) {
        const one_time_password = createOneTimePassword();
        const isTaken = taken[index]?.username === true || taken[index]?.email === true;
        const work = () => hasher.hash(one_time_password);
        prepared.push(
          isTaken ? { fields } : { fields, one_time_password, hash: await hasher.enqueue(`user ${actor.id}`, work) },
        );
      }
      return prepared;
    },

    create(requestStore: Db, actor: Actor, rows: readonly PreparedRow[], groupIds: readonly number[]) {
      return requestStore.transaction(actor.context, async (tx): Promise<CreatedRow[]> => {
        const fieldOf = (index: number) => `users[${index}].role`;
        await requireNewMembers(
          tx,
          actor,
          rows.map(({ fields }) => fields),
          groupIds,
          fieldOf,
        );
        await bulkUsers.lockNames(tx);
        const hashed = rows.flatMap(({ fields, hash }) => (hash === undefined ? [] : [{ ...fields, hash }]));
        const expiresAt = new Date(clock().getTime() + oneTimePasswordDays * 86_400_000);
        const inserted = await bulkUsers.insert(tx, hashed, expiresAt);
        if (inserted.length > 0) tx.record({ type: 'user.created', users: inserted });
        await joinGroups(
          tx,
          groupIds,
          inserted.map(({ id }) => id),
        );
        const taken = await bulkUsers.findTaken(
          tx,
          rows.map(({ fields }) => fields),
        );
        const created = new Map(inserted.map((user) => [`${user.username} ${user.email}`, user.id]));
        tx.afterCommit(() => {
          for (const { id } of inserted) securityLog.note('user_created', actor, { target_user: id });
        });
        return rows.map(({ fields, hash, one_time_password }, index): CreatedRow => {
          const names = `${fields.username} ${fields.email}`;
          const user_id = hash === undefined ? undefined : created.get(names);
          created.delete(names); // a duplicate row does not get this account
          if (user_id === undefined) return { ...fields, user_id: null, errors: takenErrors(taken[index]) };
          return { ...fields, user_id, errors: [], ...(one_time_password !== undefined && { one_time_password }) };
        });
      });
    },
  };
}
