import type { Locale } from './settings.ts';

const collations = { en: 'en', zh: 'zh-u-co-pinyin', 'zh-Hant': 'zh-TW-u-co-stroke' } as const satisfies Record<
  Locale,
  string
>;

/** Sorts names: Chinese by pinyin, traditional by strokes, numbers by value. */
export const collatorOf = (locale: Locale): Intl.Collator => new Intl.Collator(collations[locale], { numeric: true });
