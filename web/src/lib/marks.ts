import { type Catalogue, useTexts } from './texts.ts';

const texts = {
  pause: { en: ', ', zh: '、' },
  comma: { en: ', ', zh: '，' },
  colon: { en: ': ', zh: '：' },
  between: { en: ' ', zh: '' },
  before_time: { en: ', ', zh: ' ' },
} as const satisfies Catalogue;

/** The marks between parts of a text, which depend on the language. Only what computers read is joined otherwise. */
export function useMarks() {
  const t = useTexts(texts);
  return {
    comma: t('comma'),
    colon: t('colon'),
    /** Algebra, Piano; 代数、钢琴. */
    list: (parts: readonly (string | number)[]) => parts.join(t('pause')),
    /** What is known about one thing, without empty parts: Lin Wei, never signed in; 林薇，从未登录. */
    facts: (parts: readonly (string | false | undefined)[]) => parts.filter(Boolean).join(t('comma')),
    /** One after the other, without empty ones. */
    sentences: (parts: readonly string[]) => parts.filter((part) => part !== '').join(t('between')),
    /** Fri 27 Nov, 18:00; 11月27日 周五 18:00. */
    at: (day: string, time: string) => `${day}${t('before_time')}${time}`,
  };
}
