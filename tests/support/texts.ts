import { accountMailMessages } from '../../src/messages/account-mail.ts';
import { accountMessages } from '../../src/messages/accounts.ts';
import { achievementMessages } from '../../src/messages/achievements.ts';
import { assignmentMessages } from '../../src/messages/assignments.ts';
import { contactMessages } from '../../src/messages/contact.ts';
import { generalMessages } from '../../src/messages/general.ts';
import { groupMessages } from '../../src/messages/groups.ts';
import { imageMessages } from '../../src/messages/images.ts';
import type { Locale, MessageKey } from '../../src/messages/index.ts';
import { noticeMessages } from '../../src/messages/notices.ts';
import { projectMessages } from '../../src/messages/projects.ts';
import { sessionMessages } from '../../src/messages/sessions.ts';
import { webhookMessages } from '../../src/messages/webhooks.ts';
import type { TestApp, TestUser } from './test-app.ts';

const areas = [
  generalMessages,
  accountMessages,
  accountMailMessages,
  projectMessages,
  assignmentMessages,
  groupMessages,
  sessionMessages,
  achievementMessages,
  imageMessages,
  contactMessages,
  noticeMessages,
  webhookMessages,
];

/** Every text with its key, as it stands in its area. */
export const texts = areas.flatMap((area): [MessageKey, { en: string; zh: string }][] =>
  Object.entries(area).map(([key, text]) => [key as MessageKey, text]),
);

/** Whether what was told is this text, with whatever values; on the contact side the field stands before it. */
export function isText(told: string, key: MessageKey, locale: Locale): boolean {
  const template = texts.find(([name]) => name === key)?.[1][locale] ?? '';
  const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+');
  return new RegExp(`^(\\w+ )?${pattern}$`, 's').test(told);
}

/** All texts in an answer, wherever they stand. */
export function toldIn(body: unknown, name = ''): string[] {
  if (typeof body === 'string') return name === 'message' || name === 'msg' ? [body] : [];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => toldIn(value, Array.isArray(body) ? '' : key));
}

export type Speaker = (user?: TestUser) => Pick<ReturnType<TestApp['as']>, 'get' | 'post' | 'put' | 'delete'>;
/** Clients that ask for answers in a language. */
export function speaking(app: TestApp, language: string): Speaker {
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
