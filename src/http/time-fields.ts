import { z } from 'zod';
import { canonicalZone, suggestedZone } from '../lib/time-zone.ts';
import { issue } from './fields.ts';

const isoTime = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(?:(Z)|([+-]\d{2})(?::?(\d{2}))?)$/;

/** ISO 8601 allows to leave out seconds, and the colon or the minutes of the offset; RFC 3339 does not. */
function toRfc3339(given: string): string {
  if (given.length > 64) return given;
  const parts = isoTime.exec(given.normalize('NFKC').trim().toUpperCase());
  if (parts === null) return given;
  const [, date, time, seconds = ':00', utc, hours, minutes = '00'] = parts;
  return `${date}T${time}${seconds}${utc ?? `${hours}:${minutes}`}`;
}

export const instant = z
  .string()
  .overwrite(toRfc3339)
  .pipe(z.iso.datetime({ offset: true, error: 'invalid_date' }))
  .transform((value) => new Date(value))
  .refine((date) => !Number.isNaN(date.getTime()), { error: 'invalid_date' })
  .meta({ override: { type: 'string', format: 'date-time' }, example: '2026-02-01T08:00:00Z' });

export const day = z.iso
  .date({ error: 'invalid_day', abort: true })
  .refine((value) => value >= '2000-01-01' && value < '2200-01-01', { error: 'invalid_day' })
  .meta({ example: '2026-02-01' });

/**
 * `from` or `to`: an instant, or a date, which stands for the whole day in the calendar of a person. `periods` of the platform
 * turns both into what the operation needs.
 */
export const moment = z
  .string()
  .overwrite(toRfc3339)
  .transform((value, context): Date | string => {
    const isDate = /^\d{4}-\d{2}-\d{2}$/.test(value);
    const parsed = isDate ? day.safeParse(value) : instant.safeParse(value);
    if (parsed.success) return parsed.data;
    context.addIssue(issue(isDate ? 'invalid_day' : 'invalid_moment'));
    return z.NEVER;
  })
  .meta({
    id: 'DayOrInstant',
    override: {
      anyOf: [
        { type: 'string', format: 'date', maxLength: 256 },
        { type: 'string', format: 'date-time', maxLength: 256 },
      ],
    },
    example: '2026-02-01',
  });

export const timestamp = z.iso.datetime({ precision: 3 }).meta({ id: 'Instant', example: '2026-02-01T08:00:00.000Z' });

/** Transforms to the canonical name. */
export const timeZone = z
  .string()
  .max(64)
  .transform((name, context) => {
    const zone = canonicalZone(name);
    if (zone !== undefined) return zone;
    const suggestion = suggestedZone(name);
    context.addIssue(
      suggestion === undefined ? issue('invalid_time_zone') : issue('ambiguous_time_zone', { name, suggestion }),
    );
    return z.NEVER;
  })
  .meta({ override: { type: 'string', maxLength: 64 }, example: 'Asia/Shanghai' });

/** Accounts have `timezone` since the first version, everything else says `time_zone`: accounts have both names. */
export const timeZoneNames = <Zone extends z.ZodType>(zone: Zone) => ({
  timezone: zone,
  time_zone: zone.meta({ description: 'Another name of `timezone`. The two cannot be set to different zones.' }),
});

export type ZoneNames = { timezone?: string | undefined; time_zone?: string | undefined };

/** Keeps `timezone` only. */
export function oneTimeZone<Given extends ZoneNames>(
  { time_zone, ...given }: Given,
  context: z.RefinementCtx,
): Omit<Given, 'time_zone'> {
  if (time_zone === undefined) return given;
  if (given.timezone !== undefined && given.timezone !== time_zone)
    context.addIssue({ ...issue('time_zones_differ'), path: ['time_zone'] });
  return { ...given, timezone: time_zone };
}
