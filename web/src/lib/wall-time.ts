/** Local time in a zone in the format of `<input type="datetime-local">`: 2026-02-01T08:00. */
export function toWallTime(moment: string | number | Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]));
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

/** Minutes of a typed duration: 1h30, 1:30, 90, 1.5 h, 45 min, 1小时30分. Undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const plain = text.trim().toLowerCase().replace(',', '.');
  const clock = /^(\d{1,2}):([0-5]\d)$/.exec(plain);
  if (clock !== null) return Number(clock[1]) * 60 + Number(clock[2]);
  if (/^\d{1,4}$/.test(plain)) return Number(plain);
  const units = /^(?:(\d+(?:\.\d+)?)\s*(?:h|小时))?\s*(?:(\d+)\s*(?:m|min|分|分钟)?)?$/.exec(plain);
  if (units === null || (units[1] === undefined && units[2] === undefined)) return undefined;
  return Math.round(Number(units[1] ?? 0) * 60 + Number(units[2] ?? 0));
}
