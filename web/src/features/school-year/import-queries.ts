import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../lib/api.ts';
import { schoolYearChanged } from './school-year-queries.ts';

type Read = Schemas['ImportedCalendar'];
export type CalendarEvent = Read['events'][number];
/** By the numbers of events. */
export type Choices = Readonly<Record<number, CalendarEvent['kind']>>;
export type CalendarImport = { file: File; group: number | null; choices: Choices };

/** What would be added, and what that would change. */
export const useCalendar = (sent: CalendarImport, enabled: boolean) =>
  useQuery({
    queryKey: ['school-year', 'calendar', sent.file.name, sent.file.lastModified, sent.group, sent.choices],
    enabled,
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => send(sent, true, signal),
  });

/** Returns how many entries were added. */
export async function importCalendar(sent: CalendarImport): Promise<number> {
  const { added } = await send(sent, false);
  await schoolYearChanged();
  return added;
}

async function send({ file, group, choices }: CalendarImport, isDry: boolean, signal?: AbortSignal): Promise<Read> {
  const numbers = (wanted: CalendarEvent['kind']) =>
    Object.entries(choices)
      .filter(([, kind]) => kind === wanted)
      .map(([number]) => number)
      .join(',');
  const form = {
    dry_run: isDry ? ('true' as const) : ('false' as const),
    ...(group !== null && { group_id: group }),
    off: numbers('off'),
    school_days: numbers('school_day'),
    ignored: numbers(null),
    file, // last: the service needs the options before it
  };
  return (await api.post('/api/admin/school-days/import', { form, ...(signal !== undefined && { signal }) })).data;
}
