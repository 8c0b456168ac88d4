import type { Clock } from '../../../lib/clock.ts';
import type { Job } from '../../../lib/jobs.ts';
import { createEncryption } from '../../../lib/secrets/encryption.ts';
import { ValidationError } from '../../../texts/errors.ts';
import type { Locale } from '../../../texts/index.ts';
import type { Db } from '../../../transactions/transactions.ts';
import type { ChannelOutbox } from '../../operations/channels/channel-outbox.ts';
import type { MailOutbox } from '../../operations/mail/mail-outbox.ts';
import type { ProgressService } from '../progress/progress-service.ts';
import {
  type ClassFigures,
  type Content,
  digestContent,
  streakContent,
  urgentStates,
  weekContent,
  writeMail,
  writeMessage,
} from './reminder-content.ts';
import * as reminders from './reminder-repository.ts';
import { type DueReminder, type ReminderKind, reminderKinds } from './reminder-repository.ts';

const batch = 200;

/** The mail of an administrator, with the groups that it is about; null: the whole school. */
type Digest = { content: Content | undefined; group_ids: number[] | null };

export type ReminderOptions = {
  store: Db;
  mail: MailOutbox;
  channels: ChannelOutbox;
  readStates: ProgressService['readStates'];
  secrets: readonly string[];
  ownUrl: string;
  locale: Locale;
  clock: Clock;
  /** At most so many in one run, in whole pages; the next one continues. */
  maxPerRun?: number;
};

/** Mails and messages that users chose: a streak at risk, the week of a student, the classes of an administrator. */
export function createReminderService(options: ReminderOptions) {
  const { store, mail, channels, readStates, secrets, ownUrl, locale, clock, maxPerRun = 5_000 } = options;
  // Without an expiry: it only ends these mails.
  const tokens = createEncryption(secrets, 'unsubscribe');

  /** `limitedTo`: an administrator without the inbox, and with these groups only. */
  async function readDigest(now: Date, limitedTo?: number): Promise<Digest> {
    const members = await reminders.listMembers(store, limitedTo);
    const states = await readStates(members, now);
    const classes = new Map<string, ClassFigures>();
    for (const { group_name: name, user_id } of members) {
      const figures = classes.get(name) ?? { name, silent: 0, overdue: 0, behind: 0, slowing: 0 };
      const state = urgentStates.find((urgent) => urgent === states.get(user_id));
      if (state !== undefined) figures[state] += 1;
      classes.set(name, figures);
    }
    const waiting = limitedTo === undefined ? await reminders.countWaiting(store, now) : 0;
    return {
      content: digestContent([...classes.values()], waiting),
      group_ids: limitedTo === undefined ? null : [...new Set(members.map(({ group_id }) => group_id))],
    };
  }

  /** Reads figures outside the transaction, which only decides who sends it. */
  async function send(reminder: DueReminder, now: Date, digestOfSchool: () => Promise<Digest>): Promise<void> {
    const { user_id, kind, via, role, zone, ends_at: until } = reminder;
    const digest =
      kind === 'streak' || role === 'user'
        ? undefined
        : await (role === 'admin' ? digestOfSchool() : readDigest(now, user_id));
    const content = digest === undefined ? await contentOf(kind, user_id, zone, now) : digest.content;
    // The rights are checked again when the message is sent.
    const about = digest && { scope: { admin_id: user_id, group_ids: digest.group_ids } };
    await store.asService(async (tx) => {
      const recipient = await reminders.claim(tx, reminder);
      if (recipient === undefined || content === undefined) return;
      const language = recipient.locale ?? locale;
      if (via === 'channel')
        return channels.enqueue(tx, { user_id, until, ...about, ...writeMessage(content, ownUrl, language) });
      const links = { origin: ownUrl, token: tokens.encrypt(`${user_id} ${kind}`) };
      const written = writeMail(content, recipient.display_name, links, language);
      return mail.enqueue(tx, { to: recipient.email, until, ...about, ...written }, 'reminders');
    });
  }

  async function contentOf(kind: ReminderKind, user_id: number, zone: string, now: Date) {
    const { studied, is_running } = await reminders.readStudy(store, { user_id, zone, now });
    return kind === 'week' ? weekContent(studied, zone) : streakContent(studied, is_running, zone);
  }

  /** One failure does not keep the others from their mails; the job then fails and is repeated. */
  async function sendDue(): Promise<void> {
    const now = clock();
    let digest: Promise<Digest> | undefined;
    const failures: unknown[] = [];
    let last = 0;
    for (let sent = 0; sent < maxPerRun; sent += batch) {
      const due = await reminders.listDue(store, now, last, batch, mail.enabled);
      for (const reminder of due)
        await send(reminder, now, () => {
          digest ??= readDigest(now);
          return digest;
        }).catch((error: unknown) => failures.push(error));
      if (due.length < batch) break;
      // A page may end between the kinds of a user: the next one begins with that user.
      last = (due.at(-1)?.user_id ?? 0) - 1;
    }
    if (failures.length > 0) throw failures[0];
  }

  const jobs: Job[] = [{ name: 'send reminders', everySeconds: 300, run: sendDue }];
  return {
    jobs,
    /** Of a valid link; repeating it changes nothing. */
    async unsubscribe(token: string): Promise<ReminderKind> {
      const [id, name] = tokens.decrypt(token)?.split(' ') ?? [];
      const kind = reminderKinds.find((known) => known === name);
      if (kind === undefined) throw ValidationError.of('token', 'invalid_unsubscribe_token');
      await reminders.unsubscribe(store, Number(id), kind);
      return kind;
    },
  };
}
export type ReminderService = ReturnType<typeof createReminderService>;
