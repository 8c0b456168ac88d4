import { isChinese, type Locale, languageTags } from './settings.ts';

/** The time zone of this device. */
export const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether clocks of both zones agree all year, whatever the zones are called. */
export function isSameTime(one: string, other: string): boolean {
  if (one === other) return true;
  const year = new Date().getUTCFullYear();
  const clock = (timeZone: string, month: number) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
      Date.UTC(year, month, 15),
    );
  return [0, 3, 6, 9].every((month) => clock(one, month) === clock(other, month));
}

/** Shanghai, Buenos Aires; in Chinese the name of the time, 中国时间, as zones have no names of cities there. */
export function zoneName(zone: string, locale: Locale): string {
  if (isChinese(locale)) {
    const format = new Intl.DateTimeFormat(languageTags[locale], { timeZone: zone, timeZoneName: 'longGeneric' });
    return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  }
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/**
 * Time zones for a select: in English cities by name. In Chinese many zones share a name, and hundreds of names would
 * be slow to find, so only the zones of the user and the device have theirs.
 */
export function zoneOptions(own: string, locale: Locale): (readonly [zone: string, text: string])[] {
  const zones = [...new Set([own, ...Intl.supportedValuesOf('timeZone')])];
  if (!isChinese(locale))
    return zones.map((zone) => [zone, zoneName(zone, locale)] as const).sort(([, a], [, b]) => (a < b ? -1 : 1));
  return zones.map((zone) => [
    zone,
    zone === own || zone === deviceZone ? `${zoneName(zone, locale)}（${zone}）` : zone,
  ]);
}
