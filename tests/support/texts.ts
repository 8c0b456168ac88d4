import { catalogue, type Locale, type MessageKey } from '../../src/texts/index.ts';
import type { TestApp, TestUser } from './test-app.ts';

/** Every text with its key. */
export const texts = Object.entries(catalogue) as [MessageKey, { en: string; zh: string }][]; // its keys

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
