import type { Locale } from './settings.ts';

const collations = {
  en: 'zh-u-co-pinyin',
  zh: 'zh-u-co-pinyin',
  'zh-Hant': 'zh-TW-u-co-stroke',
} as const satisfies Record<Locale, string>;
const isHan = (name: string): boolean => /^\p{Script=Han}/u.test(name);

/** Sorts names: Chinese by pinyin, traditional by strokes, numbers by value; in English, Chinese names are the last. */
export function collatorOf(locale: Locale): Pick<Intl.Collator, 'compare'> {
  const { compare } = new Intl.Collator(collations[locale], { numeric: true });
  if (locale !== 'en') return { compare };
  return { compare: (a, b) => Number(isHan(a)) - Number(isHan(b)) || compare(a, b) };
}
