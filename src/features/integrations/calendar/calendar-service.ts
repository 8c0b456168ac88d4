import type { Actor } from '../../../actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { SecurityLog } from '../../../lib/log/security-log.ts';
import { createRandomToken, digestOf } from '../../../lib/secrets/random-token.ts';
import { ConflictError, NotFoundError, RateLimitedError } from '../../../texts/errors.ts';
import { type Locale, type MessageKey, translate } from '../../../texts/index.ts';
import type { Db } from '../../../transactions/transactions.ts';
import type { Notify } from '../../accounts/account-notices/account-notices.ts';
import * as personalTokens from '../../accounts/personal-tokens/personal-token-repository.ts';
import * as readModel from './calendar-read-model.ts';
import { type CalendarEvent, writeCalendar } from './icalendar.ts';

const minute = 60_000;
const day = 86_400_000;
const shownDays = 365;
const max = { records: 2000, dueDates: 1000 };
/** Ten years: calendar applications use the same address for as long as they are subscribed. */
const validDays = 3653;
const scopes = ['calendar'];
/** Creations within a day: each sends a mail. */
const maxCreated = 10;
/** Calendar applications read every hour, or every few minutes. */
const readsPerMinute = 20;

type Options = {
  store: Db;
  securityLog: SecurityLog;
  notify: Notify;
  defaultLocale: Locale;
  clock: Clock;
};
type Client = { address: string; device: string };
export type CalendarService = ReturnType<typeof createCalendarService>;

export function createCalendarService({ store, securityLog, notify, defaultLocale, clock }: Options) {
  const reads = createReadLimit(readsPerMinute);

  return {
    find: (userId: number) => personalTokens.findCalendar(store, userId, clock()),

    /** Replaces the address. Returns its secret part, of which only a digest is stored. */
    replace(db: Db, actor: Actor, client: Client): Promise<string> {
      const token = createRandomToken();
      const now = clock();
      const expires_at = new Date(now.getTime() + validDays * day);
      const token_hash = digestOf(token);
      return db.transaction(actor.context, async (tx) => {
        await personalTokens.lockOwner(tx, actor.id);
        if ((await personalTokens.countCalendars(tx, actor.id, new Date(now.getTime() - day))) >= maxCreated)
          throw new ConflictError('CONFLICT', 'too_many_calendars', { maximum: maxCreated });
        const tokens = await personalTokens.revokeCalendar(tx, actor.id, now);
        if (tokens.length > 0) tx.record({ type: 'token.revoked', tokens });
        const fields = { name: 'Calendar', scopes, token_hash, created_at: now, expires_at, client };
        const created = await personalTokens.insert(tx, { user_id: actor.id, ...fields });
        tx.record({ type: 'token.created', token: { ...created, user_id: actor.id } });
        await notify(tx, actor.id, 'calendar_address_created');
        tx.afterCommit(() => securityLog.note('calendar_address_created', actor));
        return token;
      });
    },

    remove: (actor: Actor): Promise<void> =>
      store.transaction(actor.context, async (tx) => {
        const tokens = await personalTokens.revokeCalendar(tx, actor.id, clock());
        if (tokens.length === 0) throw new NotFoundError('calendar_not_found');
        tx.record({ type: 'token.revoked', tokens });
        tx.afterCommit(() => securityLog.note('calendar_address_revoked', actor));
      }),

    /** The calendar of the user who owns the address, in their language. Throws NotFoundError and RateLimitedError. */
    async render(token: string): Promise<AsyncGenerator<string>> {
      const now = clock();
      const found = await personalTokens.use(store, digestOf(token), now);
      const owner = found?.scopes[0] === 'calendar' ? await readModel.readOwner(store, found.user_id) : undefined;
      if (found === undefined || owner === undefined) throw new NotFoundError('calendar_not_found');
      const wait = reads.secondsToWait(found.sign_in_id, now);
      if (wait > 0) throw new RateLimitedError(wait);
      const text = (key: MessageKey, params = {}) => translate({ key, params }, owner.locale ?? defaultLocale);
      const since = new Date(now.getTime() - shownDays * day);
      const records = await readModel.readRecords(store, found.user_id, since, max.records);
      const dueDates = await readModel.readDueDates(store, found.user_id, since, max.dueDates);
      function* events(): Generator<CalendarEvent> {
        for (const { id, name, due_date, updated_at } of dueDates)
          yield {
            uid: `due-${id}@${owner?.calendar_uid}`,
            changed_at: updated_at,
            day: due_date,
            summary: text('calendar_due', { name }),
            description: '',
          };
        for (const { id, project_name, started_at, ended_at, note, updated_at } of records)
          yield {
            uid: `record-${id}@${owner?.calendar_uid}`,
            changed_at: updated_at,
            start: started_at,
            end: ended_at,
            summary: project_name,
            description: note,
          };
      }
      return writeCalendar({ name: text('calendar_name'), timeZone: owner.timezone }, events());
    },
  };
}

/** Counts reads of a key per minute, in this process. Keys are known ones, and forgotten with their minute. */
function createReadLimit(perMinute: number) {
  let windowStart = 0;
  const counts = new Map<string, number>();
  return {
    /** Counts a read; the seconds until the next one is allowed, or 0. */
    secondsToWait(key: string, now: Date): number {
      const time = now.getTime();
      if (time >= windowStart + minute || time < windowStart) {
        windowStart = time;
        counts.clear();
      }
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count > perMinute ? (windowStart + minute - time) / 1000 : 0;
    },
  };
}
