import type { Locale } from './settings.ts';

/** The order of names: Chinese ones by their reading, numbers by their value. */
export const collatorOf = (locale: Locale): Intl.Collator =>
  new Intl.Collator(locale === 'zh' ? 'zh-u-co-pinyin' : 'en', { numeric: true });
