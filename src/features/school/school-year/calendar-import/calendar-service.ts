import type { Actor } from '../../../../actor.ts';
import { ValidationError } from '../../../../texts/errors.ts';
import { readText } from '../../../study/session-import/file/file-text.ts';
import type { EffectService } from '../effect-service.ts';
import { keyOfEntry, type SchoolDayKind } from '../school-day-fields.ts';
import type { NewSchoolDay } from '../school-day-repository.ts';
import type { SchoolYearService } from '../school-year-service.ts';
import { type CalendarEvent, readCalendar } from './calendar-file.ts';
import type { CalendarOptions, ImportedCalendar } from './calendar-schemas.ts';

export type CalendarService = ReturnType<typeof createCalendarService>;

const pieceBytes = 64 * 1024;
const choices = { off: 'off', school_days: 'school_day', ignored: null } as const;

/** Reads the events of a calendar, and adds those that are chosen as days off and make-up days: all, or none. */
export function createCalendarService(schoolYear: SchoolYearService, effects: EffectService) {
  return {
    async import(actor: Actor, path: string, options: CalendarOptions): Promise<ImportedCalendar> {
      let text = '';
      for await (const piece of readText(path, pieceBytes)) text += piece;
      const group = options.group_id ?? null;
      const known = await schoolYear.listSchoolDays(actor, { group_id: options.group_id });
      const events = applyChoices(withoutKnown(readCalendar(text, actor.timezone), group, known), options);
      const entries = events.flatMap((event) => toEntry(event, group));
      if (options.dry_run) {
        const effect = await effects.previewIfFew(actor, schoolYear.previewOfEntries(actor, group, entries));
        return { events, added: entries.length, effect };
      }
      const added = await schoolYear.createSchoolDays(actor, group, entries);
      return { events, added: added.length, effect: undefined };
    },
  };
}

/** An event that is in the school year already, or twice in the file, is left out: a file can be sent again. */
function withoutKnown(events: CalendarEvent[], group: number | null, known: readonly NewSchoolDay[]): CalendarEvent[] {
  const seen = new Set(known.map(keyOfEntry));
  return events.map((event) => {
    if (event.left_out !== null && event.left_out !== 'timed') return event;
    const key = keyOfEntry({ ...event, group_id: group });
    if (seen.has(key)) return { ...event, kind: null, left_out: 'exists' };
    seen.add(key);
    return event;
  });
}

function applyChoices(events: CalendarEvent[], options: CalendarOptions): CalendarEvent[] {
  const chosen = new Map<number, SchoolDayKind | null>();
  for (const [field, kind] of Object.entries(choices) as [keyof typeof choices, SchoolDayKind | null][])
    for (const number of options[field]) {
      const event = events[number - 1];
      if (event === undefined) throw ValidationError.of(field, 'calendar_no_event', { number });
      const { name, left_out } = event;
      if (chosen.has(number)) throw ValidationError.of(field, 'calendar_chosen_twice', { number, name });
      if (kind !== null && left_out !== null && left_out !== 'timed')
        throw ValidationError.of(field, 'calendar_left_out', { number, name });
      chosen.set(number, kind);
    }
  return events.map((event) => ({
    ...event,
    kind: chosen.get(event.number) ?? (chosen.has(event.number) ? null : event.kind),
  }));
}

function toEntry({ name, first_day, last_day, kind }: CalendarEvent, group_id: number | null): NewSchoolDay[] {
  return kind === null || first_day === null || last_day === null
    ? []
    : [{ name, first_day, last_day, kind, group_id }];
}
