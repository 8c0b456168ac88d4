import { type Locale, type Message, translate } from '../../../texts/index.ts';
import { layOut, type MailContent } from '../../operations/mail/mail-layout.ts';
import {
  dateOf,
  firstDayOfWeek,
  type StudiedDays,
  secondsBetween,
  studyDaysOf,
  studyFigures,
} from '../../study/calendar/study-figures.ts';
import { hoursOf } from '../../study/study-sessions/session-times.ts';
import type { AttentionState } from '../progress/attention-sql.ts';

/** What a mail says, before its language is known. */
export type Content = { subject: Message; paragraphs: Message[]; items?: Message[]; action: Message; page: string };
/** The states of students that the mail to an administrator counts. */
export const urgentStates = ['silent', 'overdue', 'behind', 'slowing'] as const satisfies readonly AttentionState[];
export type ClassFigures = { name: string } & Record<(typeof urgentStates)[number], number>;

const shownClasses = 30;

/** Undefined if there is no streak, or today counts already, or will with the running timer. */
export function streakContent(studied: StudiedDays, isRunning: boolean, zone: string): Content | undefined {
  const { current_streak: days, studied_today } = studyFigures(studied, zone);
  if (days === 0 || studied_today || isRunning) return undefined;
  return {
    subject: { key: 'mail_streak_subject', params: { days } },
    paragraphs: [{ key: 'mail_streak_text', params: { days } }],
    action: { key: 'mail_streak_action' },
    page: '/',
  };
}

/** Of the week before the current one; undefined without study in the last two. */
export function weekContent(studied: StudiedDays, zone: string): Content | undefined {
  const first = firstDayOfWeek(studied.today, studied.week_start) - 7;
  const [hours, before] = [first, first - 7].map((day) => hoursOf(secondsBetween(studied, day, day + 6)));
  if (!hours && !before) return undefined;
  const { current_streak } = studyFigures(studied, zone);
  const params = {
    from: dateOf(first),
    to: dateOf(first + 6),
    hours: hours ?? 0,
    before: before ?? 0,
    days: studyDaysOf(studied, first, first + 6).length,
  };
  return {
    subject: { key: 'mail_week_subject', params },
    paragraphs: [
      { key: 'mail_week_text', params },
      ...(current_streak > 1 ? [{ key: 'mail_week_streak', params: { days: current_streak } } as const] : []),
    ],
    action: { key: 'mail_week_action' },
    page: '/statistics',
  };
}

/** Undefined if nothing needs attention. */
export function digestContent(classes: readonly ClassFigures[], waiting: number): Content | undefined {
  const shown = classes.filter((figures) => urgentStates.some((state) => figures[state] > 0));
  const more = shown.length - shownClasses;
  const items: Message[] = [
    ...shown.slice(0, shownClasses).map((figures) => ({ key: 'mail_digest_class', params: figures }) as const),
    ...(more > 0 ? [{ key: 'mail_digest_more', params: { count: more } } as const] : []),
    ...(waiting > 0 ? [{ key: 'mail_digest_requests', params: { count: waiting } } as const] : []),
  ];
  if (items.length === 0) return undefined;
  return {
    subject: { key: 'mail_digest_subject' },
    paragraphs: [{ key: 'mail_digest_text' }],
    items,
    action: { key: 'mail_digest_action' },
    page: '/admin/students',
  };
}

type Links = { origin: string; token: string };

/** RFC 8058: mail programs offer to unsubscribe with one click. */
export function writeMail(content: Content, name: string, { origin, token }: Links, locale: Locale) {
  const say = (message: Message) => translate(message, locale);
  const laidOut: MailContent = {
    greeting: say({ key: 'mail_message_greeting', params: { name } }),
    paragraphs: content.paragraphs.map(say),
    ...(content.items && { items: content.items.map(say) }),
    action: { label: say(content.action), url: origin + content.page },
    footer: say({ key: 'mail_reminder_footer' }),
    stop: { label: say({ key: 'mail_reminder_stop' }), url: `${origin}/unsubscribe#token=${token}` },
  };
  return {
    subject: say(content.subject),
    ...layOut(laidOut, locale),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': `<${origin}/api/mail/unsubscribe?token=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

/** The same for a channel, which has no room for a greeting. */
export function writeMessage(content: Content, origin: string, locale: Locale) {
  const say = (message: Message) => translate(message, locale);
  const lines = [...content.paragraphs, ...(content.items ?? [])].map(say);
  return { title: say(content.subject), text: lines.join('\n'), page: origin + content.page };
}
