import { type Locale, languageTags } from './settings.ts';

/** Names of the weekdays; 1 is Monday, as was 1 January 2024. */
export function weekdayNames(locale: Locale, weekday: 'long' | 'short' = 'long'): (day: number) => string {
  const format = new Intl.DateTimeFormat(languageTags[locale], { weekday, timeZone: 'UTC' });
  return (day) => format.format(new Date(Date.UTC(2024, 0, day)));
}
