/** An all-day event, or one with a start and an end; times are ISO 8601 in UTC. */
export type CalendarEvent = {
  uid: string;
  changed_at: string;
  summary: string;
  description: string;
} & ({ day: string } | { start: string; end: string });

/** RFC 5545 counts 75 octets without the line break. */
const maxOctets = 75;

const escapeText = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n');
const basic = (moment: string) => moment.replace(/\.\d+/, '').replace(/[-:]/g, '');

/** Continuation lines begin with a space; characters are not split. */
function folded(line: string): string {
  let [text, octets] = ['', 0];
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > maxOctets) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return `${text}\r\n`;
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

const lines = (list: readonly string[]) => list.map(folded).join('');

export const calendarStart = (name: string) =>
  lines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Studytrack//Studytrack//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
  ]);

export function calendarEvent(event: CalendarEvent): string {
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

export const calendarEnd = 'END:VCALENDAR\r\n';
