import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../project-root.ts';
import { accountMailMessages } from './account-mail.ts';
import { accountMessages } from './accounts.ts';
import type { Catalogue } from './catalogue.ts';
import { contactMessages } from './contact.ts';
import { generalMessages } from './general.ts';
import { importMessages } from './imports.ts';
import { noticeMessages } from './notices.ts';
import { projectMessages } from './projects.ts';
import { rosterMessages } from './roster.ts';
import { schoolMessages } from './school.ts';
import { sessionMessages } from './sessions.ts';

/** Every text by its key. */
export const catalogue = {
  ...generalMessages,
  ...accountMessages,
  ...accountMailMessages,
  ...projectMessages,
  ...sessionMessages,
  ...importMessages,
  ...contactMessages,
  ...noticeMessages,
  ...rosterMessages,
  ...schoolMessages,
};

export type MessageParams = Readonly<Record<string, string | number>>;
export type MessageKey = keyof typeof catalogue;
export type Message = { key: MessageKey; params?: MessageParams };
/** A value that is the same in every language, such as an id or a time. */
export type Verbatim = { verbatim: string };

export const locales = ['en', 'zh', 'zh-Hant'] as const;
export type Locale = (typeof locales)[number];

export function translate(message: Message | Verbatim, locale: Locale): string {
  if ('verbatim' in message) return message.verbatim;
  const text: Catalogue[string] = catalogue[message.key];
  const template = locale === 'zh-Hant' ? traditional(text.zh) : text[locale];
  const { params } = message;
  return params === undefined
    ? template
    : template.replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole));
}

export function isMessageKey(text: string): text is MessageKey {
  return Object.hasOwn(catalogue, text);
}

/** Of Taiwan, Hong Kong and Macau, or with that script. */
const isTraditional = /^zh[-_](hant|tw|hk|mo)\b/;

/** The supported language that the Accept-Language header prefers, or the fallback. */
export function chooseLocale(header: string | undefined, fallback: Locale): Locale {
  if (header === undefined || header === '') return fallback;
  const ranked = header
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [tag = '', ...attributes] = part
        .toLowerCase()
        .split(';')
        .map((text) => text.trim());
      const q = attributes.map((text) => /^q=([\d.]+)$/.exec(text)?.[1]).find((value) => value !== undefined);
      const language = isTraditional.test(tag) ? 'zh-Hant' : tag.split(/[-_]/, 1)[0];
      return { language, weight: q === undefined ? 1 : Number(q) };
    })
    .filter((entry) => entry.weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { language } of ranked) {
    const known = locales.find((locale) => locale === language);
    if (known !== undefined) return known;
  }
  return fallback;
}

let texts: Readonly<Record<string, string>> | undefined;

/** The traditional form of a text in simplified Chinese. */
function traditional(simplified: string): string {
  // Read by the first request that needs it: a start does not wait for it.
  texts ??= JSON.parse(readFileSync(path.join(projectRoot, 'assets/languages/zh-Hant.json'), 'utf8')) as Record<
    string,
    string
  >;
  return texts[simplified] ?? simplified;
}
