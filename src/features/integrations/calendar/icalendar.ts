import { createYield } from '../../../lib/fair-queue.ts';

/** An all-day event, or one with a start and an end; times are ISO 8601 in UTC. */
export type CalendarEvent = {
  uid: string;
  changed_at: string;
  summary: string;
  description: string;
} & ({ day: string } | { start: string; end: string });

const pieceLength = 16_384;

/** RFC 5545 counts 75 octets without the line break. */
const maxOctets = 75;

const escapeText = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n');
const basic = (moment: string) => moment.replace(/\.\d+/, '').replace(/[-:]/g, '');

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Continuation lines begin with a space; characters are not split. */
function folded(line: string): string {
  const bytes = Buffer.from(line);
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    let end = start + maxOctets - (start === 0 ? 0 : 1);
    while (isContinuation(bytes[end])) end -= 1;
    parts.push(bytes.toString('utf8', start, end));
    start = end;
  }
  return `${parts.join('\r\n ')}\r\n`;
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

const lines = (list: readonly string[]) => list.map(folded).join('');

const calendarStart = (name: string, timeZone: string) =>
  lines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Studytrack//Studytrack//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(name)}`,
    `X-WR-TIMEZONE:${timeZone}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ]);

function calendarEvent(event: CalendarEvent): string {
  const when =
    'day' in event
      ? [
          `DTSTART;VALUE=DATE:${basic(event.day)}`,
          `DTEND;VALUE=DATE:${basic(dayAfter(event.day))}`,
          'TRANSP:TRANSPARENT',
        ]
      : [`DTSTART:${basic(event.start)}`, `DTEND:${basic(event.end)}`];
  const changed = basic(event.changed_at);
  return lines([
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    ...when,
    `SUMMARY:${escapeText(event.summary)}`,
    ...(event.description === '' ? [] : [`DESCRIPTION:${escapeText(event.description)}`]),
    'END:VEVENT',
  ]);
}

const calendarEnd = 'END:VCALENDAR\r\n';

/** Further events are left out. */
const maxBytes = 1_500_000;

/** In pieces, yielding to the event loop. */
export async function* writeCalendar(
  { name, timeZone }: { name: string; timeZone: string },
  events: Iterable<CalendarEvent>,
): AsyncGenerator<string> {
  const yieldTurn = createYield();
  let piece = calendarStart(name, timeZone);
  let bytes = 0;
  for (const event of events) {
    await yieldTurn();
    const written = calendarEvent(event);
    bytes += Buffer.byteLength(written);
    if (bytes > maxBytes) break;
    piece += written;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}${calendarEnd}`;
}
