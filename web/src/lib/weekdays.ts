import type { Locale } from './settings.ts';

/** Names of the weekdays from Monday, number 1: the first of January 2024 was one. */
export function weekdayNames(locale: Locale): (day: number) => string {
  const format = new Intl.DateTimeFormat(locale === 'zh' ? 'zh-CN' : 'en-GB', { weekday: 'long', timeZone: 'UTC' });
  return (day) => format.format(new Date(Date.UTC(2024, 0, day)));
}
