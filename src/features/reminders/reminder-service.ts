import { ValidationError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Job } from '../../lib/jobs.ts';
import { createEncryption } from '../../lib/secrets/encryption.ts';
import type { Locale } from '../../messages/index.ts';
import type { Store } from '../../store.ts';
import type { MailOutbox } from '../mail/mail-outbox.ts';
import type { ProgressService } from '../progress/progress-service.ts';
import {
  type ClassFigures,
  type Content,
  digestContent,
  streakContent,
  weekContent,
  writeMail,
} from './reminder-content.ts';
import { type DueReminder, type ReminderKind, reminderKinds } from './reminder-repository.ts';

const batch = 200;
/** Of one run; the next one continues. */
const maxPerRun = 5_000;

export type ReminderOptions = {
  store: Store;
  mail: MailOutbox;
  listBehind: ProgressService['listBehind'];
  secrets: readonly string[];
  ownUrl: string;
  locale: Locale;
  clock: Clock;
};

/** Mails that users chose: a streak at risk, the week of a student, the classes of an administrator. */
export function createReminderService({ store, mail, listBehind, secrets, ownUrl, locale, clock }: ReminderOptions) {
  // Without an expiry: it only ends these mails.
  const tokens = createEncryption(secrets, 'unsubscribe');

  async function readDigest(now: Date): Promise<Content | undefined> {
    const members = await store.reminders.listMembers(now);
    const behind = await listBehind(members, now);
    const classes = new Map<string, ClassFigures>();
    for (const { group_name: name, user_id, is_silent } of members) {
      const figures = classes.get(name) ?? { name, silent: 0, behind: 0 };
      if (is_silent) figures.silent += 1;
      if (behind.has(user_id)) figures.behind += 1;
      classes.set(name, figures);
    }
    return digestContent([...classes.values()], await store.reminders.countWaiting(now));
  }

  /** Reads figures outside the transaction, which only decides who sends it. */
  async function send(reminder: DueReminder, now: Date, digest: () => Promise<Content | undefined>): Promise<void> {
    const { user_id, kind, role, zone } = reminder;
    const content = kind === 'week' && role === 'admin' ? await digest() : await contentOf(kind, user_id, zone, now);
    await store.transaction(async (tx) => {
      const recipient = await tx.reminders.claim(reminder);
      if (recipient === undefined || content === undefined) return;
      const links = { origin: ownUrl, token: tokens.encrypt(`${user_id} ${kind}`) };
      const written = writeMail(content, recipient.display_name, links, recipient.locale ?? locale);
      await mail.enqueue(tx, { to: recipient.email, until: reminder.ends_at, ...written }, 'reminders');
    });
  }

  async function contentOf(kind: ReminderKind, user_id: number, zone: string, now: Date) {
    const { studied, is_running } = await store.reminders.readStudy({ user_id, zone, now });
    return kind === 'week' ? weekContent(studied, zone) : streakContent(studied, is_running, zone);
  }

  /** One failure does not keep the others from their mails; the job then fails and is repeated. */
  async function sendDue(): Promise<void> {
    const now = clock();
    let digest: Promise<Content | undefined> | undefined;
    const failures: unknown[] = [];
    let last = 0;
    for (let sent = 0; sent < maxPerRun; sent += batch) {
      const due = await store.reminders.listDue(now, last, batch);
      for (const reminder of due)
        await send(reminder, now, () => {
          digest ??= readDigest(now);
          return digest;
        }).catch((error: unknown) => failures.push(error));
      last = due.at(-1)?.user_id ?? last;
      if (due.length < batch) break;
    }
    if (failures.length > 0) throw failures[0];
  }

  const jobs: Job[] = mail.enabled ? [{ name: 'send reminders', everySeconds: 300, run: sendDue }] : [];
  return {
    jobs,
    /** Of a valid link; repeating it changes nothing. */
    async unsubscribe(token: string): Promise<ReminderKind> {
      const [id, name] = tokens.decrypt(token)?.split(' ') ?? [];
      const kind = reminderKinds.find((known) => known === name);
      if (kind === undefined) throw ValidationError.of('token', 'invalid_unsubscribe_token');
      await store.reminders.unsubscribe(Number(id), kind);
      return kind;
    },
  };
}
export type ReminderService = ReturnType<typeof createReminderService>;
