import { accountMailMessages } from '../../src/texts/account-mail.ts';
import { accountMessages } from '../../src/texts/accounts.ts';
import { contactMessages } from '../../src/texts/contact.ts';
import { generalMessages } from '../../src/texts/general.ts';
import type { Locale, MessageKey } from '../../src/texts/index.ts';
import { noticeMessages } from '../../src/texts/notices.ts';
import { projectMessages } from '../../src/texts/projects.ts';
import { reminderMessages } from '../../src/texts/reminders.ts';
import { reportMessages } from '../../src/texts/reports.ts';
import { rosterMessages } from '../../src/texts/roster.ts';
import { schoolYearMessages } from '../../src/texts/school-year.ts';
import { sessionMessages } from '../../src/texts/sessions.ts';
import type { TestApp, TestUser } from './test-app.ts';

const areas = [
  generalMessages,
  accountMessages,
  accountMailMessages,
  projectMessages,
  sessionMessages,
  contactMessages,
  noticeMessages,
  reminderMessages,
  reportMessages,
  rosterMessages,
  schoolYearMessages,
];

/** Every text with its key. */
export const texts = areas.flatMap((area): [MessageKey, { en: string; zh: string }][] =>
  Object.entries(area).map(([key, text]) => [key as MessageKey, text]),
);

/** Whether a message is this text with any values; contact errors have the field before it. */
export function isText(message: string, key: MessageKey, locale: Locale): boolean {
  const template = texts.find(([name]) => name === key)?.[1][locale === 'en' ? 'en' : 'zh'] ?? '';
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+');
  return new RegExp(`^(\\w+ )?${pattern}$`, 's').test(message);
}

/** All messages in a response body, at any depth. */
export function messagesIn(body: unknown, name = ''): string[] {
  if (typeof body === 'string') return name === 'message' || name === 'msg' ? [body] : [];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => messagesIn(value, Array.isArray(body) ? '' : key));
}

export type ClientFactory = (user?: TestUser) => Pick<ReturnType<TestApp['as']>, 'get' | 'post' | 'put' | 'delete'>;
/** Clients that request responses in a language. */
export function clientsIn(app: TestApp, language: string): ClientFactory {
  return (user) => {
    const client = app.as(user);
    return {
      get: (url) => client.get(url).set('Accept-Language', language),
      post: (url, body) => client.post(url, body).set('Accept-Language', language),
      put: (url, body) => client.put(url, body).set('Accept-Language', language),
      delete: (url) => client.delete(url).set('Accept-Language', language),
    };
  };
}
