import type { Locale } from './settings.ts';

/** Sorts names: Chinese by pinyin, numbers by value. */
export const collatorOf = (locale: Locale): Intl.Collator =>
  new Intl.Collator(locale === 'zh' ? 'zh-u-co-pinyin' : 'en', { numeric: true });
