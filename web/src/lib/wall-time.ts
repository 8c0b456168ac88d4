const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes ten times as long as using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(timeZone, format);
  return format;
}

/** Local time in a zone in the format of `<input type="datetime-local">`: 2026-02-01T08:00. */
export function toWallTime(moment: string | number | Date, timeZone: string): string {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(new Date(moment))
      .map(({ type, value }) => [type, value]),
  );
  return `${parts['year']}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}`;
}

/**
 * The instant of a local time in a zone; undefined if it is invalid. A time skipped in spring is taken as one hour
 * later, a time that occurs twice in autumn as the first.
 */
export function fromWallTime(wall: string, timeZone: string): string | undefined {
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  const offsetAt = (moment: number) =>
    Date.parse(`${toWallTime(moment, timeZone)}Z`) - Math.floor(moment / 60_000) * 60_000;
  const day = 86_400_000;
  // The offsets around the time: the larger one gives the earlier instant, if that has this local time.
  const moments = [offsetAt(asUtc - day), offsetAt(asUtc + day)].map((offset) => asUtc - offset).sort((a, b) => a - b);
  const exact = moments.find((moment) => toWallTime(moment, timeZone) === wall.slice(0, 16));
  const found = exact ?? moments.at(-1);
  return found === undefined ? undefined : new Date(found).toISOString();
}

const hourUnit = 'h|hrs?|hours?|小时|小時|个小时|個小時';
const minuteUnit = 'm|mins?|minutes?|分|分钟|分鐘';
const withUnits = new RegExp(`^(?:(\\d+(?:\\.\\d+)?)\\s*(?:${hourUnit})(半)?)?\\s*(?:(\\d+)\\s*(?:${minuteUnit})?)?$`);

/**
 * Minutes of a typed duration: 90, 1:30, 1:30:00, 1.5, 1.5h, 1h30, 45 min, 1小时30分, 1小时半. A decimal number is hours.
 * Undefined for anything else.
 */
export function parseDuration(text: string): number | undefined {
  const plain = text.normalize('NFKC').trim().toLowerCase().replace(',', '.');
  const clock = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d))?$/.exec(plain);
  if (clock !== null) return Math.round(Number(clock[1]) * 60 + Number(clock[2]) + Number(clock[3] ?? 0) / 60);
  if (/^\d{1,4}$/.test(plain)) return Number(plain);
  if (/^\d{1,2}\.\d+$/.test(plain)) return Math.round(Number(plain) * 60);
  const [, hours, half, minutes] = withUnits.exec(plain) ?? [];
  if (hours === undefined && minutes === undefined) return undefined;
  return Math.round((Number(hours ?? 0) + (half === undefined ? 0 : 0.5)) * 60 + Number(minutes ?? 0));
}

/** A typed time as 18:05: 18:05, 1805, 18.05, 6:05 pm, 9. Undefined for anything else. */
export function parseClock(typed: string): string | undefined {
  const text = typed.normalize('NFKC').trim().toLowerCase();
  const [, hours, minutes = '00', half] =
    /^(\d{1,2})(?:[:.]?([0-5]\d))?\s*([ap]m)?$/.exec(text) ??
    /^(\d{1,2})[点點时時](?:([0-5]?\d)分?)?$/.exec(text) ??
    [];
  if (hours === undefined || Number(hours) > (half === undefined ? 23 : 12)) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes.padStart(2, '0')}`;
}
