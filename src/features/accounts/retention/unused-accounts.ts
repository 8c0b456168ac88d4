import type { Clock } from '../../../lib/clock.ts';
import type { Job } from '../../../lib/jobs.ts';
import { type Locale, type Message, translate } from '../../../texts/index.ts';
import type { Db } from '../../../transactions/transactions.ts';
import type { MailOutbox } from '../../operations/mail/mail-outbox.ts';
import { accountLinks } from '../account-links/account-link-repository.ts';
import * as accountNotices from '../account-notices/account-notice-repository.ts';
import * as userRepository from '../users/user-repository.ts';
import type { UserService } from '../users/user-service.ts';
import * as unusedAccounts from './unused-account-repository.ts';
import { type UnusedBefore, unusedNotice } from './unused-account-repository.ts';

const day = 86_400_000;
/** Between the mail and the deactivation. */
const announcedDays = 30;
/** After that it has to be announced again. */
const announcementDays = 60;
const batch = 200;
/** Of one run; the next one continues. */
const maxPerRun = 5_000;

/** Which accounts are announced, and which deactivated, after so many days without use. */
export function unusedPeriods(days: number, now: Date): { announced: UnusedBefore; deactivated: UnusedBefore } {
  const before = (count: number) => new Date(now.getTime() - count * day);
  const announcedSince = before(announcementDays);
  return {
    announced: { unusedSince: before(days - announcedDays), announcedSince },
    deactivated: { unusedSince: before(days), announcedSince, announcedBefore: before(announcedDays) },
  };
}

type Options = {
  store: Db;
  users: Pick<UserService, 'updateWithin'>;
  mail: MailOutbox;
  /** Days without use after which an account is deactivated; 0: never. */
  days: number;
  ownUrl: string;
  locale: Locale;
  clock: Clock;
};

/** Accounts of ordinary users that nobody uses: a mail announces it, and they are deactivated unless they are used before. */
export function createUnusedAccounts({ store, users, mail, days, ownUrl, locale, clock }: Options) {
  async function announce(id: number, before: UnusedBefore, now: Date): Promise<void> {
    await store.asService(async (tx) => {
      if (!(await unusedAccounts.isUnused(tx, before, id))) return;
      const claim = { userId: id, notice: unusedNotice, maximum: 1, now };
      const recipient = await accountNotices.claim(tx, claim); // once over all processes
      if (recipient === undefined) return;
      const { username, email } = recipient;
      const date = new Date(now.getTime() + announcedDays * day).toISOString().slice(0, 10);
      const say = (key: Message['key']) =>
        translate({ key, params: { username, date, days: announcedDays, link: ownUrl } }, recipient.locale ?? locale);
      const written = { subject: say('mail_account_unused'), text: `${say('mail_account_unused_text')}\n` };
      const notice = { user_id: id, notice: unusedNotice };
      await mail.enqueue(tx, { to: email, ...written, notice }, 'notices');
    });
  }

  /** A user who signs in meanwhile has used the account. */
  async function deactivate(id: number, before: UnusedBefore): Promise<void> {
    await store.asService(async (tx) => {
      await accountLinks.lockRights(tx, id); // before the row, as everywhere
      await userRepository.lock(tx, id, true);
      if (await unusedAccounts.isUnused(tx, before, id)) await users.updateWithin(tx, {}, id, { status: 'inactive' });
    });
  }

  /** An account that fails, such as one that is locked, does not stop the others. */
  async function forEach(before: UnusedBefore, work: (id: number) => Promise<void>): Promise<void> {
    const errors: unknown[] = [];
    let last = 0;
    for (let done = 0; done < maxPerRun; done += batch) {
      const found = await unusedAccounts.list(store, before, last, batch);
      for (const id of found) await work(id).catch((error: unknown) => errors.push(error));
      last = found.at(-1) ?? last;
      if (found.length < batch) break;
    }
    if (errors.length > 0) throw errors[0];
  }

  async function run(): Promise<void> {
    const now = clock();
    const { announced, deactivated } = unusedPeriods(days, now);
    await forEach(deactivated, (id) => deactivate(id, deactivated));
    await forEach(announced, (id) => announce(id, announced, now));
  }

  const jobs: Job[] = days > 0 ? [{ name: 'deactivate unused accounts', everySeconds: 3600, run }] : [];
  return { jobs };
}
