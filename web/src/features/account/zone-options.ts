import { isChinese, type Locale } from '../../lib/settings.ts';
import { deviceZone, zoneName } from '../../lib/zone.ts';

const known = Intl.supportedValuesOf('timeZone');

/**
 * Time zones for a select: in English cities by name. In Chinese many zones share a name, and hundreds of names would
 * be slow to find, so only the zones of the user and the device have theirs.
 */
export function zoneOptions(own: string, locale: Locale): (readonly [zone: string, text: string])[] {
  const zones = known.includes(own) ? known : [own, ...known];
  if (!isChinese(locale))
    return zones.map((zone) => [zone, zoneName(zone, locale)] as const).sort(([, a], [, b]) => (a < b ? -1 : 1));
  return zones.map((zone) => [
    zone,
    zone === own || zone === deviceZone ? `${zoneName(zone, locale)}（${zone}）` : zone,
  ]);
}
