import type { TimeZones } from '../../../db/time-zones.ts';
import type { ZoneNames } from '../../../http/time-fields.ts';
import { ValidationError } from '../../../texts/errors.ts';

/**
 * A client that sends back what it read may have changed only one of the two names: then the changed one counts. Throws
 * ValidationError if both name different new zones.
 */
export function changedTimeZone(before: string, { timezone = before, time_zone = before }: ZoneNames): string {
  if (timezone !== before && time_zone !== before && timezone !== time_zone)
    throw ValidationError.of('time_zone', 'time_zones_differ');
  return timezone === before ? time_zone : timezone;
}

/** Throws ValidationError for a name that the database does not know. */
export async function requireZones(timeZones: Pick<TimeZones, 'require'>, given: ZoneNames): Promise<void> {
  for (const name of ['timezone', 'time_zone'] as const)
    if (given[name] !== undefined) await timeZones.require(given[name], name);
}
